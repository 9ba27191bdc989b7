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
CREATE TABLE new_rating_changes (
    run                BIGINT NOT NULL,
    position           BIGINT NOT NULL,
    player             TEXT   NOT NULL,
    edition            TEXT   NOT NULL,
    game               TEXT   NOT NULL,
    at                 BIGINT NOT NULL,
    place              BIGINT NOT NULL,
    players            BIGINT NOT NULL,
    rating_before      BIGINT NOT NULL,
    uncertainty_before BIGINT NOT NULL,
    rating             BIGINT NOT NULL,
    uncertainty        BIGINT NOT NULL,
    league_position    BIGINT NOT NULL DEFAULT 0,
    league_table       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (run, position, league_position, player, edition)
) WITHOUT ROWID;
INSERT INTO new_rating_changes SELECT *, 0, 0 FROM rating_changes;
DROP TABLE rating_changes;
ALTER TABLE new_rating_changes RENAME TO rating_changes;
CREATE INDEX rating_changes_by_player ON rating_changes (run, player, edition, position, league_position);
