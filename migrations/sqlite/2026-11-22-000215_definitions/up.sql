-- A definition comes into force again when an older program does: when is a part of the key.
CREATE TABLE definitions_by_time (
    measure    TEXT   NOT NULL,
    definition BIGINT NOT NULL,
    since      BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (measure, definition, at)
);
INSERT INTO definitions_by_time SELECT measure, definition, since, at FROM definitions;
DROP TABLE definitions;
ALTER TABLE definitions_by_time RENAME TO definitions;
