-- Where an event stands in the log of all leagues, from 1 without gaps, and where the log of all games ended then. Null
-- of events that a program of before wrote, until one of this version has given them a place.
ALTER TABLE league_events ADD COLUMN position BIGINT;
ALTER TABLE league_events ADD COLUMN log_position BIGINT;
CREATE UNIQUE INDEX league_events_by_position ON league_events (position);

-- Up to which event of leagues ratings go, and whether a result that they count was corrected since.
ALTER TABLE ratings_end ADD COLUMN league_position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ratings_end ADD COLUMN stale BIGINT NOT NULL DEFAULT 0;

-- What a result at a real table did: `game` is its league, and it stands behind the games up to `position` by its
-- place in the log of all leagues; both are 0 of games.
ALTER TABLE rating_changes ADD COLUMN league_position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN league_table BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rating_changes DROP CONSTRAINT rating_changes_pkey;
ALTER TABLE rating_changes ADD PRIMARY KEY (run, position, league_position, player, edition);
DROP INDEX rating_changes_by_player;
CREATE INDEX rating_changes_by_player ON rating_changes (run, player, edition, position, league_position);
