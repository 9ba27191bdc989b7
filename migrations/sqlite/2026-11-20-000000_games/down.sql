DROP TABLE idempotency_keys;
DROP TABLE log_end;
DROP TABLE events;
DROP TABLE seats;
DROP TABLE games;
