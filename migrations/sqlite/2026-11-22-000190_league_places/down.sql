CREATE TABLE old_rating_changes (
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
    PRIMARY KEY (run, position, player, edition)
) WITHOUT ROWID;
INSERT INTO old_rating_changes
    SELECT run, position, player, edition, game, at, place, players, rating_before, uncertainty_before, rating,
        uncertainty FROM rating_changes WHERE league_position = 0;
DROP TABLE rating_changes;
ALTER TABLE old_rating_changes RENAME TO rating_changes;
CREATE INDEX rating_changes_by_player ON rating_changes (run, player, edition, position);
ALTER TABLE ratings_end DROP COLUMN stale;
ALTER TABLE ratings_end DROP COLUMN league_position;
DROP INDEX league_events_by_position;
ALTER TABLE league_events DROP COLUMN log_position;
ALTER TABLE league_events DROP COLUMN position;
