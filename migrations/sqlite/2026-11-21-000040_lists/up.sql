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
) WITHOUT ROWID;
INSERT OR IGNORE INTO players
    SELECT coalesce(player_id, name), created_at, game_id
    FROM seats JOIN games ON games.id = seats.game_id
    WHERE kind <> 'open' AND coalesce(player_id, name) IS NOT NULL;

-- The database keeps it itself, whichever program writes.
CREATE TRIGGER seats_taken AFTER INSERT ON seats
WHEN NEW.kind <> 'open' AND coalesce(NEW.player_id, NEW.name) IS NOT NULL BEGIN
    INSERT OR IGNORE INTO players
        SELECT coalesce(NEW.player_id, NEW.name), created_at, id FROM games WHERE id = NEW.game_id;
END;
CREATE TRIGGER seats_left AFTER DELETE ON seats BEGIN
    DELETE FROM players WHERE player = coalesce(OLD.player_id, OLD.name) AND game_id = OLD.game_id
        AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
        AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind <> 'open'
            AND coalesce(player_id, name) = coalesce(OLD.player_id, OLD.name));
END;
CREATE TRIGGER seats_changed AFTER UPDATE OF kind, player_id, name ON seats
WHEN coalesce(NEW.player_id, NEW.name, '') <> coalesce(OLD.player_id, OLD.name, '') BEGIN
    DELETE FROM players WHERE player = coalesce(OLD.player_id, OLD.name) AND game_id = OLD.game_id
        AND created_at = (SELECT created_at FROM games WHERE id = OLD.game_id)
        AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = OLD.game_id AND kind <> 'open'
            AND coalesce(player_id, name) = coalesce(OLD.player_id, OLD.name));
    INSERT OR IGNORE INTO players
        SELECT coalesce(NEW.player_id, NEW.name), created_at, id FROM games
        WHERE id = NEW.game_id AND NEW.kind <> 'open'
            AND coalesce(NEW.player_id, NEW.name) IS NOT NULL;
END;

-- What the planner is to think of a large office, whatever this one holds: a player or a league says more
-- than a status, for most games are finished and that one is not looked up, a status more than a board,
-- a board more than an edition.
ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1 WHERE tbl IN ('games', 'players');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('games', 'sqlite_autoindex_games_1', '1000000 1'),
    ('games', 'games_in_order', '1000000 1 1'),
    ('games', 'games_by_edition', '1000000 330000 1 1'),
    ('games', 'games_by_board', '1000000 160000 1 1'),
    ('games', 'games_by_status', '1000000 3000 1 1'),
    ('games', 'games_by_league', '1000000 2000 1 1'),
    ('players', 'players', '2000000 1000 1 1');
-- So that they are used at once.
ANALYZE sqlite_schema;
