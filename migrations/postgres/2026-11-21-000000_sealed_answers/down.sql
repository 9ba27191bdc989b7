DROP TABLE idempotency_keys;
CREATE TABLE idempotency_keys (
    caller     TEXT   NOT NULL,
    key        TEXT   NOT NULL,
    request    TEXT   NOT NULL,
    answer     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
