-- Lists go from the newest game to the oldest, by the time of creation: each filter has an index in that
-- order. `players` has a row for each account and each bot that sits at a table.
CREATE INDEX games_in_order ON games (created_at, id);
CREATE INDEX games_by_edition ON games (edition, created_at, id);
CREATE INDEX games_by_board ON games (board, created_at, id);
DROP INDEX games_by_status;
CREATE INDEX games_by_status ON games (status, created_at, id);
DROP INDEX games_by_league;
CREATE INDEX games_by_league ON games (league, created_at, id) WHERE league IS NOT NULL;
DROP INDEX seats_by_player;

CREATE TABLE players (
    -- An account, or the name of a bot.
    player     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    game_id    TEXT   NOT NULL REFERENCES games (id),
    PRIMARY KEY (player, created_at, game_id)
);
INSERT INTO players
    SELECT coalesce(player_id, name), created_at, game_id
    FROM seats JOIN games ON games.id = seats.game_id
    WHERE kind <> 'open' AND coalesce(player_id, name) IS NOT NULL
    ON CONFLICT DO NOTHING;

-- The database keeps it itself, whichever program writes.
CREATE FUNCTION keep_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND coalesce(NEW.player_id, NEW.name, '') = coalesce(OLD.player_id, OLD.name, '')
    THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM players WHERE player = coalesce(OLD.player_id, OLD.name)
            AND game_id = OLD.game_id
            AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
            AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind <> 'open'
                AND coalesce(player_id, name) = coalesce(OLD.player_id, OLD.name));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO players
            SELECT coalesce(NEW.player_id, NEW.name), created_at, id FROM games
            WHERE id = NEW.game_id AND NEW.kind <> 'open'
                AND coalesce(NEW.player_id, NEW.name) IS NOT NULL
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER seats_players AFTER INSERT OR DELETE OR UPDATE OF kind, player_id, name ON seats
    FOR EACH ROW EXECUTE FUNCTION keep_players();
