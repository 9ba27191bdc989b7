DROP INDEX seats_by_invited;
ALTER TABLE seats DROP COLUMN invited;
ALTER TABLE games DROP COLUMN organizer_account;
DROP TABLE tokens;
DROP TABLE accounts;
