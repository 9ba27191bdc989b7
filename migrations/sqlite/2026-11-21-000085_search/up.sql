-- In which orders finished games are searched. A game is named by its number.
CREATE TABLE finished_games (
    game       INTEGER NOT NULL PRIMARY KEY REFERENCES games (number),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    rounds     BIGINT NOT NULL
);
CREATE INDEX finished_games_by_creation ON finished_games (created_at, game);
CREATE INDEX finished_games_by_end ON finished_games (updated_at, game);
CREATE INDEX finished_games_by_length ON finished_games (rounds, game);

-- What finished games are searched by: a row for each word that holds of a game, such as a nation that took part,
-- by the first 8 bytes of its SHA-256.
CREATE TABLE terms (
    term BIGINT NOT NULL,
    game BIGINT NOT NULL REFERENCES games (number),
    PRIMARY KEY (term, game)
) WITHOUT ROWID;

-- Up to which finished game, by the position of its last event, these were written. One row.
CREATE TABLE terms_end (
    id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL
);
INSERT INTO terms_end (id, position) VALUES (1, 0);
