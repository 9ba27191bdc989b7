DROP TRIGGER games_relisted ON games;
DROP FUNCTION relist_players();
CREATE OR REPLACE FUNCTION keep_players() RETURNS trigger LANGUAGE plpgsql AS $$
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
ALTER TABLE players DROP CONSTRAINT players_pkey;
ALTER TABLE players ADD PRIMARY KEY (player, created_at, game_id);
ALTER TABLE players DROP COLUMN league;
ALTER TABLE players DROP COLUMN visibility;
ALTER TABLE players DROP COLUMN status;
ALTER TABLE players DROP COLUMN board;
ALTER TABLE players DROP COLUMN edition;
DROP INDEX games_in_order;
CREATE INDEX games_in_order ON games (created_at, id);
DROP INDEX games_by_edition;
CREATE INDEX games_by_edition ON games (edition, created_at, id);
DROP INDEX games_by_board;
CREATE INDEX games_by_board ON games (board, created_at, id);
DROP INDEX games_by_status;
CREATE INDEX games_by_status ON games (status, created_at, id);
DROP INDEX games_by_league;
CREATE INDEX games_by_league ON games (league, created_at, id) WHERE league IS NOT NULL;
