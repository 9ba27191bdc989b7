-- What finished games are searched by: a row for each word that holds of a game, such as a nation that took part,
-- by the first 8 bytes of its SHA-256. A game is named by its number.
CREATE TABLE terms (
    term       BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    game       BIGINT NOT NULL REFERENCES games (number),
    updated_at BIGINT NOT NULL,
    rounds     BIGINT NOT NULL,
    PRIMARY KEY (term, created_at, game)
) WITHOUT ROWID;
CREATE INDEX terms_by_end ON terms (term, updated_at, game);
CREATE INDEX terms_by_length ON terms (term, rounds, game);

-- Up to which finished game, by the position of its last event, terms were written. One row.
CREATE TABLE terms_end (
    id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL
);
INSERT INTO terms_end (id, position) VALUES (1, 0);
