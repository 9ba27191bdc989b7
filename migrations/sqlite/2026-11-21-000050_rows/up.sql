-- Of events is kept what does not follow from others. The first row of a run, which are rows of a game
-- that were written together, tells position, time and the start of its hash; in the rows behind it
-- position and time are 0 and no hash is kept, for theirs follow. Player and nation are null where they
-- follow from the log. Rows of before are runs of one row each and stay as they are.
--
-- Programs of before would show such rows wrongly. They know no column hash_start, so they cannot read
-- or write events any more: they are to be stopped before.
ALTER TABLE events RENAME COLUMN hash TO hash_start;
DROP INDEX events_by_position;
CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position > 0;
