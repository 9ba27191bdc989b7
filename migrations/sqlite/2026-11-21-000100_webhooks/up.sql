-- Times are microseconds since 1970.
CREATE TABLE webhooks (
    -- UUIDv7.
    id               TEXT NOT NULL PRIMARY KEY,
    account          TEXT   NOT NULL REFERENCES accounts (id),
    url              TEXT   NOT NULL,
    -- Types of events: words with a space between.
    events           TEXT   NOT NULL,
    -- Of whose games it tells, or of which game: one of the two.
    player           TEXT,
    game             TEXT,
    -- What deliveries are signed with, and what they are signed with besides until the secret of before ends.
    secret           TEXT   NOT NULL,
    old_secret       TEXT,
    old_secret_until BIGINT NOT NULL,
    -- Behind which position of the log of all games it tells.
    since            BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    -- Since when every attempt has failed.
    failing_since    BIGINT,
    disabled_at      BIGINT,
    disabled_because TEXT
);
CREATE INDEX webhooks_by_account ON webhooks (account, id);
CREATE INDEX webhooks_by_player ON webhooks (player) WHERE player IS NOT NULL;
CREATE INDEX webhooks_by_game ON webhooks (game) WHERE game IS NOT NULL;

CREATE TABLE deliveries (
    -- UUIDv7: the header webhook-id.
    id           TEXT NOT NULL PRIMARY KEY,
    webhook      TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    game         TEXT,
    seq          BIGINT,
    -- The body that is sent.
    body         TEXT   NOT NULL,
    -- pending, delivered or failed.
    status       TEXT   NOT NULL,
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    attempted_at BIGINT,
    next_at      BIGINT,
    -- What the last attempt was answered, or why it was not.
    answered     BIGINT,
    failure      TEXT
);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, id);
CREATE INDEX deliveries_pending ON deliveries (webhook, next_at) WHERE next_at IS NOT NULL;

-- Up to where the log of all games was looked through for webhooks.
CREATE TABLE webhook_position (
    id       BIGINT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL
);
INSERT INTO webhook_position VALUES (1, 0);
