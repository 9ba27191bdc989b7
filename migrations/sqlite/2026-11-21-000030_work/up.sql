-- What the service does by itself. A row is there while something is due or shall be tried again.
CREATE TABLE work (
    kind           TEXT   NOT NULL,
    -- What it is about: the id of a game.
    subject        TEXT   NOT NULL,
    -- Times are microseconds since 1970.
    due_at         BIGINT NOT NULL,
    -- The node that is at it, until the lease ends.
    owner          TEXT,
    leased_until   BIGINT NOT NULL,
    -- How often it failed in a row, and why the last time.
    attempts       BIGINT NOT NULL,
    failure        TEXT,
    -- Since when it is set aside, because trying again does not help.
    quarantined_at BIGINT,
    -- SHA-256 of whom it is charged to.
    charged_to     TEXT,
    PRIMARY KEY (kind, subject)
);
CREATE INDEX work_by_due ON work (due_at);
CREATE INDEX work_by_charge ON work (charged_to) WHERE charged_to IS NOT NULL;

INSERT INTO work (kind, subject, due_at, leased_until, attempts)
    SELECT 'bots', id, updated_at, 0, 0 FROM games WHERE bot_due = 1;

-- One row, written to see whether anything can be written.
CREATE TABLE probe (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    at BIGINT NOT NULL
);
INSERT INTO probe (id, at) VALUES (1, 0);
