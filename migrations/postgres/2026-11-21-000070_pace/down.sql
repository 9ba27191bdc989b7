DELETE FROM work WHERE kind = 'deadline';
DROP INDEX games_by_due;
ALTER TABLE games DROP COLUMN due_at;
