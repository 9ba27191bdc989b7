-- Every write to a game or its seats gives the game a version that no game had before; they become
-- visible in their order, so that other nodes find what changed behind the last one they know.
ALTER TABLE log_end ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
-- Where the last event of a finished game stands in the log of all games.
ALTER TABLE games ADD COLUMN finished_position BIGINT;
UPDATE games SET
    version = number,
    finished_position = CASE WHEN status = 'finished' THEN
        (SELECT position FROM events WHERE events.game = games.number AND events.seq = games.seq) END;
UPDATE log_end SET version = position;
CREATE INDEX games_by_version ON games (version);
CREATE INDEX games_by_finished_position ON games (finished_position) WHERE finished_position IS NOT NULL;

-- For programs of before, which may write beside newer ones for a while and know neither column.
CREATE TRIGGER games_created AFTER INSERT ON games WHEN NEW.version = 0 BEGIN
    UPDATE log_end SET version = version + 1;
    UPDATE games SET
        version = (SELECT version FROM log_end),
        finished_position = CASE WHEN NEW.status = 'finished' THEN (SELECT position FROM log_end) END
    WHERE id = NEW.id;
END;
CREATE TRIGGER games_changed AFTER UPDATE ON games WHEN NEW.version = OLD.version BEGIN
    UPDATE log_end SET version = version + 1;
    UPDATE games SET
        version = (SELECT version FROM log_end),
        finished_position = CASE WHEN NEW.status = 'finished'
            THEN coalesce(NEW.finished_position, (SELECT position FROM log_end)) END
    WHERE id = NEW.id;
END;
