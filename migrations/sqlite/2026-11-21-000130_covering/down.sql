DROP TRIGGER games_relisted;
DROP TRIGGER seats_taken;
CREATE TRIGGER seats_taken AFTER INSERT ON seats
WHEN NEW.kind <> 'open' AND coalesce(NEW.player_id, NEW.name) IS NOT NULL BEGIN
    INSERT OR IGNORE INTO players
        SELECT coalesce(NEW.player_id, NEW.name), created_at, id
        FROM games WHERE id = NEW.game_id;
END;
DROP TRIGGER seats_changed;
CREATE TRIGGER seats_changed AFTER UPDATE OF kind, player_id, name ON seats
WHEN coalesce(NEW.player_id, NEW.name, '') <> coalesce(OLD.player_id, OLD.name, '') BEGIN
    DELETE FROM players WHERE player = coalesce(OLD.player_id, OLD.name) AND game_id = OLD.game_id
        AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
        AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind <> 'open'
            AND coalesce(player_id, name) = coalesce(OLD.player_id, OLD.name));
    INSERT OR IGNORE INTO players
        SELECT coalesce(NEW.player_id, NEW.name), created_at, id
        FROM games WHERE id = NEW.game_id AND NEW.kind <> 'open'
            AND coalesce(NEW.player_id, NEW.name) IS NOT NULL;
END;
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

-- What the planner is to think of a large office, as before.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('games', 'games_in_order', '1000000 1 1'),
    ('games', 'games_by_edition', '1000000 330000 1 1'),
    ('games', 'games_by_board', '1000000 160000 1 1'),
    ('games', 'games_by_status', '1000000 3000 1 1'),
    ('games', 'games_by_league', '1000000 2000 1 1');
ANALYZE sqlite_schema;
