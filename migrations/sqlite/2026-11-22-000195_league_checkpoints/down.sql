ALTER TABLE checkpoints DROP COLUMN league_value;
ALTER TABLE checkpoints DROP COLUMN league_root;
ALTER TABLE checkpoints DROP COLUMN leagues;
ALTER TABLE checkpoints DROP COLUMN league_position;
