-- What players are rated, by edition and, with the edition '', in all of them. Ratings are whole numbers, in
-- millionths, so that both databases keep and order them exactly. A run is a computation from the first game on.
CREATE TABLE ratings (
    run         BIGINT NOT NULL,
    player      TEXT   NOT NULL,
    edition     TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    rating      BIGINT NOT NULL,
    uncertainty BIGINT NOT NULL,
    ordinal     BIGINT NOT NULL,
    games       BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (run, player, edition)
);
CREATE INDEX ratings_by_ordinal ON ratings (run, kind, edition, ordinal, player);

-- What each game did to them; a game is placed by the position of its last event.
CREATE TABLE rating_changes (
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
);
CREATE INDEX rating_changes_by_player ON rating_changes (run, player, edition, position);

-- The run that is written and the one that is shown, up to which finished game, by the position of its last event,
-- the first goes, and by which algorithm. One row.
CREATE TABLE ratings_end (
    id        BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    run       BIGINT NOT NULL,
    shown     BIGINT NOT NULL,
    position  BIGINT NOT NULL,
    algorithm BIGINT NOT NULL
);
INSERT INTO ratings_end (id, run, shown, position, algorithm) VALUES (1, 0, 0, 0, 0);

CREATE INDEX games_by_rated_end ON games (rated, finished_position);
