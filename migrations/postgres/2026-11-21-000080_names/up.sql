-- The names that are shown of the people at a table, with the letters A to Z in lower case: what lists of games
-- are searched by, in their order.
CREATE TABLE names (
    -- Compared by bytes, so that what begins alike stands together.
    name       TEXT COLLATE "C" NOT NULL,
    created_at BIGINT           NOT NULL,
    game_id    TEXT             NOT NULL REFERENCES games (id),
    PRIMARY KEY (name, created_at, game_id)
);
INSERT INTO names
    SELECT lower(name COLLATE "C"), created_at, game_id
    FROM seats JOIN games ON games.id = seats.game_id
    WHERE kind = 'person' AND name IS NOT NULL
    ON CONFLICT DO NOTHING;

-- The database keeps it itself, whichever program writes.
CREATE FUNCTION keep_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.kind = OLD.kind AND coalesce(NEW.name, '') = coalesce(OLD.name, '') THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM names WHERE name = lower(OLD.name COLLATE "C") AND game_id = OLD.game_id
            AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
            AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind = 'person'
                AND lower(seats.name COLLATE "C") = lower(OLD.name COLLATE "C"));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO names
            SELECT lower(NEW.name COLLATE "C"), created_at, id FROM games
            WHERE id = NEW.game_id AND NEW.kind = 'person' AND NEW.name IS NOT NULL
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER seats_names AFTER INSERT OR DELETE OR UPDATE OF kind, name ON seats
    FOR EACH ROW EXECUTE FUNCTION keep_names();
