-- When a finished game was recorded here, in microseconds since 1970: its last event, or its import. Null for games
-- of before, and of programs of before; then it is updated_at.
ALTER TABLE games ADD COLUMN recorded_at BIGINT;

-- How measures were defined, and since when: behind which place of the log of all games, and at what time. A program
-- that has another definition of a measure notes it when it begins to gather statistics.
CREATE TABLE definitions (
    measure    TEXT   NOT NULL,
    definition BIGINT NOT NULL,
    since      BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (measure, definition)
);
