-- Times are microseconds since 1970, UTC. Truth values are 0 or 1. JSON is text.

CREATE TABLE games (
    id         TEXT   NOT NULL PRIMARY KEY,
    edition    TEXT   NOT NULL,
    board      TEXT   NOT NULL,
    status     TEXT   NOT NULL CHECK (status IN ('open', 'running', 'finished', 'abandoned')),
    -- The setup with every choice spelled out and seed_commitment in place of the seed.
    setup      TEXT   NOT NULL,
    seed       TEXT   NOT NULL,
    -- Whether the creator gave the seed, so that it is shown from the start.
    seed_known BIGINT NOT NULL,
    -- The last event.
    seq        BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    result     TEXT,
    rated      BIGINT NOT NULL,
    league     TEXT,
    source     TEXT   NOT NULL,
    -- SHA-256 of the organizer's token; null for games that nobody organizes.
    organizer  TEXT,
    -- Whether the next decision is a bot's or a standing order's.
    bot_due    BIGINT NOT NULL
);
CREATE INDEX games_by_status ON games (status, id);
CREATE INDEX games_by_league ON games (league, id);
CREATE INDEX games_with_bot_due ON games (bot_due, id);

CREATE TABLE seats (
    game_id   TEXT   NOT NULL REFERENCES games (id),
    seat      BIGINT NOT NULL,
    kind      TEXT   NOT NULL CHECK (kind IN ('bot', 'person', 'open')),
    player_id TEXT,
    name      TEXT,
    -- SHA-256 of the token that plays the seat.
    token     TEXT,
    -- Standing orders, a JSON list.
    orders    TEXT   NOT NULL,
    -- The undo that the player agrees to, as 'SEQ:TO': from the event SEQ back to TO.
    consent   TEXT,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX seats_by_player ON seats (player_id, game_id);

-- The primary key is the lock: of two writers that append the same seq one fails.
CREATE TABLE events (
    game_id  TEXT   NOT NULL REFERENCES games (id),
    seq      BIGINT NOT NULL,
    -- Place in the log of all games, from 1 without gaps.
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
CREATE UNIQUE INDEX events_by_position ON events (position);

-- One row. Writers raise it in the transaction that appends, so that positions become visible in
-- their order.
CREATE TABLE log_end (
    id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL
);
INSERT INTO log_end (id, position) VALUES (1, 0);

CREATE TABLE idempotency_keys (
    -- SHA-256 of the caller's token; empty without one.
    caller     TEXT   NOT NULL,
    key        TEXT   NOT NULL,
    -- SHA-256 of method, path and body.
    request    TEXT   NOT NULL,
    answer     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
