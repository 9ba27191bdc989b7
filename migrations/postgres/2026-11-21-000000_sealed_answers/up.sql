-- Kept answers may show a fresh token, so they are sealed with the caller's key, of which only the
-- SHA-256 is kept. What was kept before lasts a day at the most and is dropped.
DROP TABLE idempotency_keys;
CREATE TABLE idempotency_keys (
    -- SHA-256 of the caller's token; empty without one.
    caller     TEXT   NOT NULL,
    -- SHA-256 of the key.
    key        TEXT   NOT NULL,
    -- SHA-256 of method, path and body.
    request    TEXT   NOT NULL,
    answer     BYTEA  NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
