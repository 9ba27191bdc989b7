DROP INDEX games_by_organizer;
DROP INDEX seats_by_token;
DROP INDEX tokens_by_parent;
ALTER TABLE tokens DROP COLUMN parent;
