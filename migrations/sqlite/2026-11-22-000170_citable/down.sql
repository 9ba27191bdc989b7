DROP TABLE definitions;
ALTER TABLE games DROP COLUMN recorded_at;
