-- The names that are shown of the people at a table, with the letters A to Z in lower case: what lists of games
-- are searched by, in their order.
CREATE TABLE names (
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    game_id    TEXT   NOT NULL REFERENCES games (id),
    PRIMARY KEY (name, created_at, game_id)
) WITHOUT ROWID;
INSERT OR IGNORE INTO names
    SELECT lower(name), created_at, game_id
    FROM seats JOIN games ON games.id = seats.game_id
    WHERE kind = 'person' AND name IS NOT NULL;

-- The database keeps it itself, whichever program writes.
CREATE TRIGGER names_taken AFTER INSERT ON seats WHEN NEW.kind = 'person' AND NEW.name IS NOT NULL BEGIN
    INSERT OR IGNORE INTO names SELECT lower(NEW.name), created_at, id FROM games WHERE id = NEW.game_id;
END;
CREATE TRIGGER names_left AFTER DELETE ON seats WHEN OLD.kind = 'person' AND OLD.name IS NOT NULL BEGIN
    DELETE FROM names WHERE name = lower(OLD.name) AND game_id = OLD.game_id
        AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
        AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind = 'person'
            AND lower(name) = lower(OLD.name));
END;
CREATE TRIGGER names_changed AFTER UPDATE OF kind, name ON seats
WHEN NEW.kind <> OLD.kind OR coalesce(NEW.name, '') <> coalesce(OLD.name, '') BEGIN
    DELETE FROM names WHERE name = lower(OLD.name) AND game_id = OLD.game_id
        AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
        AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind = 'person'
            AND lower(name) = lower(OLD.name));
    INSERT OR IGNORE INTO names SELECT lower(NEW.name), created_at, id FROM games
        WHERE id = NEW.game_id AND NEW.kind = 'person' AND NEW.name IS NOT NULL;
END;

-- What the planner is to think of a large office, as of the other indexes.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('names', 'names', '500000 500 1 1');
ANALYZE sqlite_schema;
