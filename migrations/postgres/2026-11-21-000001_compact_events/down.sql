-- Whole hashes are not kept, so the older program finds the logs broken: export before.
CREATE TABLE wide_events (
    game_id  TEXT   NOT NULL REFERENCES games (id),
    seq      BIGINT NOT NULL,
    position BIGINT NOT NULL,
    turn     BIGINT NOT NULL,
    player   TEXT,
    nation   TEXT,
    notation TEXT   NOT NULL,
    digest   TEXT   NOT NULL,
    hash     TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (game_id, seq)
);
INSERT INTO wide_events
    SELECT games.id, events.seq, position, turn, player, nation, notation,
           encode(digest, 'hex'), encode(events.hash, 'hex'), at
    FROM events JOIN games ON games.number = events.game;
DROP TABLE events;
ALTER TABLE wide_events RENAME TO events;
CREATE UNIQUE INDEX events_by_position ON events (position);
DROP INDEX games_by_number;
ALTER TABLE games DROP COLUMN number;
ALTER TABLE games DROP COLUMN hash;
