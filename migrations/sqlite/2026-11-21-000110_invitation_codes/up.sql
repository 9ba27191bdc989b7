-- The code by which players get a seat of a game, one of each game at the most.
CREATE TABLE invitation_codes (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    -- SHA-256 of the code.
    code TEXT NOT NULL UNIQUE
);
