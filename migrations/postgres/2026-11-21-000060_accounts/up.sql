-- Times are microseconds since 1970.
CREATE TABLE accounts (
    -- UUIDv7: all by which logs and records name the account.
    id         TEXT   NOT NULL PRIMARY KEY,
    handle     TEXT   NOT NULL,
    -- The handle in small letters.
    handle_key TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    -- Since when nobody is behind it: the handle is one that nobody chose.
    deleted_at BIGINT
);

CREATE TABLE tokens (
    id           TEXT   NOT NULL PRIMARY KEY,
    account      TEXT   NOT NULL REFERENCES accounts (id),
    -- SHA-256 of the token.
    hash         TEXT   NOT NULL UNIQUE,
    -- What it is for, in its owner's words.
    name         TEXT   NOT NULL,
    -- What it may be used for: words with a space between.
    scopes       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    -- Written about once an hour.
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX tokens_by_account ON tokens (account, id);

-- The account that organizes the game; null where a token of the game's own does.
ALTER TABLE games ADD COLUMN organizer_account TEXT;
-- The account for which an open seat is kept.
ALTER TABLE seats ADD COLUMN invited TEXT;
CREATE INDEX seats_by_invited ON seats (invited) WHERE invited IS NOT NULL;
