-- What a checkpoint covers of the log of all leagues; null of one that covers none, as those of programs of before.
ALTER TABLE checkpoints ADD COLUMN league_position BIGINT;
ALTER TABLE checkpoints ADD COLUMN leagues BIGINT;
ALTER TABLE checkpoints ADD COLUMN league_root TEXT;
ALTER TABLE checkpoints ADD COLUMN league_value TEXT;
