-- Leagues: what their last events say of them. All else is folded from the events.
CREATE TABLE leagues (
    -- UUIDv7.
    id         TEXT NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    -- public, unlisted or private.
    visibility TEXT   NOT NULL,
    -- The last event and its chained hash.
    seq        BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX leagues_by_visibility ON leagues (visibility, id);

-- What happened in them.
CREATE TABLE league_events (
    league  TEXT   NOT NULL,
    seq     BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    -- The account that did it; nobody's where the service found it out.
    account TEXT,
    text    TEXT   NOT NULL,
    hash    TEXT   NOT NULL,
    PRIMARY KEY (league, seq)
);

-- Games whose end a league waits for.
CREATE TABLE league_games (
    game   TEXT NOT NULL PRIMARY KEY,
    league TEXT NOT NULL
);
