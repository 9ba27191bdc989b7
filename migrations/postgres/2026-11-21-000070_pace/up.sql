-- When the time of the seat that is waited for is up, in microseconds since 1970. Programs of before cannot
-- read a game with a pace, and leave it alone.
ALTER TABLE games ADD COLUMN due_at BIGINT;
CREATE INDEX games_by_due ON games (due_at) WHERE due_at IS NOT NULL;
