DROP TRIGGER games_changed;
DROP TRIGGER games_created;
DROP INDEX games_by_finished_position;
DROP INDEX games_by_version;
ALTER TABLE games DROP COLUMN finished_position;
ALTER TABLE games DROP COLUMN version;
ALTER TABLE log_end DROP COLUMN version;
