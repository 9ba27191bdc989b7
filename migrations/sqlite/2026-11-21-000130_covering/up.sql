-- What lists are filtered by stands in the index that they go along, so that a row of games is read only when
-- it is shown, and so many can be counted.
DROP INDEX games_in_order;
CREATE INDEX games_in_order ON games (created_at, id, visibility, status);
DROP INDEX games_by_edition;
CREATE INDEX games_by_edition ON games (edition, created_at, id, visibility, status);
DROP INDEX games_by_board;
CREATE INDEX games_by_board ON games (board, created_at, id, visibility, status, edition);
DROP INDEX games_by_status;
CREATE INDEX games_by_status ON games (status, created_at, id, visibility, edition, board, league);
DROP INDEX games_by_league;
CREATE INDEX games_by_league ON games (league, created_at, id, visibility, status, edition, board)
    WHERE league IS NOT NULL;

ALTER TABLE players ADD COLUMN edition TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN board TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN status TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN visibility TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN league TEXT;
UPDATE players SET (edition, board, status, visibility, league) =
    (SELECT edition, board, status, visibility, league FROM games WHERE id = game_id);

-- The database keeps them itself, whichever program writes.
DROP TRIGGER seats_taken;
CREATE TRIGGER seats_taken AFTER INSERT ON seats
WHEN NEW.kind <> 'open' AND coalesce(NEW.player_id, NEW.name) IS NOT NULL BEGIN
    INSERT OR IGNORE INTO players (player, created_at, game_id, edition, board, status, visibility, league)
        SELECT coalesce(NEW.player_id, NEW.name), created_at, id, edition, board, status, visibility, league
        FROM games WHERE id = NEW.game_id;
END;
DROP TRIGGER seats_changed;
CREATE TRIGGER seats_changed AFTER UPDATE OF kind, player_id, name ON seats
WHEN coalesce(NEW.player_id, NEW.name, '') <> coalesce(OLD.player_id, OLD.name, '') BEGIN
    DELETE FROM players WHERE player = coalesce(OLD.player_id, OLD.name) AND game_id = OLD.game_id
        AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
        AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind <> 'open'
            AND coalesce(player_id, name) = coalesce(OLD.player_id, OLD.name));
    INSERT OR IGNORE INTO players (player, created_at, game_id, edition, board, status, visibility, league)
        SELECT coalesce(NEW.player_id, NEW.name), created_at, id, edition, board, status, visibility, league
        FROM games WHERE id = NEW.game_id AND NEW.kind <> 'open'
            AND coalesce(NEW.player_id, NEW.name) IS NOT NULL;
END;
CREATE TRIGGER games_relisted AFTER UPDATE OF status, visibility, league ON games
WHEN NEW.status <> OLD.status OR NEW.visibility <> OLD.visibility OR NEW.league IS NOT OLD.league BEGIN
    UPDATE players SET status = NEW.status, visibility = NEW.visibility, league = NEW.league
        WHERE created_at = NEW.created_at AND game_id = NEW.id AND player IN
            (SELECT coalesce(player_id, name) FROM seats WHERE game_id = NEW.id AND kind <> 'open');
END;

-- What the planner is to think of a large office, as before.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('games', 'games_in_order', '1000000 1 1 1 1'),
    ('games', 'games_by_edition', '1000000 330000 1 1 1 1'),
    ('games', 'games_by_board', '1000000 160000 1 1 1 1 1'),
    ('games', 'games_by_status', '1000000 3000 1 1 1 1 1 1'),
    ('games', 'games_by_league', '1000000 2000 1 1 1 1 1 1');
ANALYZE sqlite_schema;
