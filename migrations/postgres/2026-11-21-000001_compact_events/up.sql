-- Events are many: they name their game by a number, and digests and hashes are bytes. Of a hash, which
-- follows from the rows up to its own, the first 8 bytes are kept, to find the row that was altered;
-- the whole hash of the last event stands with the game.
ALTER TABLE games ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN hash TEXT NOT NULL DEFAULT '';
UPDATE games SET
    number = (SELECT position FROM events WHERE events.game_id = games.id AND events.seq = 0),
    hash = (SELECT events.hash FROM events WHERE events.game_id = games.id AND events.seq = games.seq);
CREATE UNIQUE INDEX games_by_number ON games (number);

CREATE TABLE compact_events (
    game     BIGINT NOT NULL REFERENCES games (number),
    seq      BIGINT NOT NULL,
    -- Place in the log of all games, from 1 without gaps.
    position BIGINT NOT NULL,
    turn     BIGINT NOT NULL,
    player   TEXT,
    nation   TEXT,
    notation TEXT   NOT NULL,
    digest   BYTEA  NOT NULL,
    hash     BYTEA  NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (game, seq)
);
INSERT INTO compact_events
    SELECT games.number, events.seq, position, turn, player, nation, notation,
           decode(digest, 'hex'), decode(substr(events.hash, 1, 16), 'hex'), at
    FROM events JOIN games ON games.id = events.game_id;
DROP TABLE events;
ALTER TABLE compact_events RENAME TO events;
CREATE UNIQUE INDEX events_by_position ON events (position);
