CREATE TABLE definitions_by_number (
    measure    TEXT   NOT NULL,
    definition BIGINT NOT NULL,
    since      BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (measure, definition)
);
INSERT INTO definitions_by_number SELECT measure, definition, min(since), min(at) FROM definitions
    GROUP BY measure, definition;
DROP TABLE definitions;
ALTER TABLE definitions_by_number RENAME TO definitions;
