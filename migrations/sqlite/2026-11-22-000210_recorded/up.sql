-- For programs of before, which do not know when a game was recorded: what they finish, or take in, is recorded now, and
-- not when it was played, so that no table of before gets another game.
CREATE TRIGGER games_recorded_new AFTER INSERT ON games
WHEN NEW.status = 'finished' AND NEW.recorded_at IS NULL BEGIN
    UPDATE games SET recorded_at = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000 WHERE id = NEW.id;
END;
CREATE TRIGGER games_recorded AFTER UPDATE ON games
WHEN NEW.status = 'finished' AND OLD.status <> 'finished' AND NEW.recorded_at IS NULL BEGIN
    UPDATE games SET recorded_at = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000 WHERE id = NEW.id;
END;
