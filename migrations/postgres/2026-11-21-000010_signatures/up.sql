-- The office's signature of a finished game's record, as JSON; null until it is signed.
ALTER TABLE games ADD COLUMN signature TEXT;
CREATE INDEX games_not_signed ON games (status, id) WHERE signature IS NULL;

-- The public keys that have signed here; they stay for ever.
CREATE TABLE keys (
    -- The first 16 hexadecimal digits of the SHA-256 of the public key's bytes.
    id         TEXT   NOT NULL PRIMARY KEY,
    -- 64 hexadecimal digits.
    public_key TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    retired_at BIGINT
);

-- The primary key is the lock: of two nodes that make the same checkpoint one fails.
CREATE TABLE checkpoints (
    number   BIGINT NOT NULL PRIMARY KEY,
    at       BIGINT NOT NULL,
    position BIGINT NOT NULL,
    games    BIGINT NOT NULL,
    root     TEXT   NOT NULL,
    previous TEXT,
    key      TEXT   NOT NULL REFERENCES keys (id),
    value    TEXT   NOT NULL
);
