DROP TABLE checkpoints;
DROP TABLE keys;
DROP INDEX games_not_signed;
ALTER TABLE games DROP COLUMN signature;
