-- For programs of before, which do not know when a game was recorded: what they finish, or take in, is recorded now, and
-- not when it was played, so that no table of before gets another game.
CREATE FUNCTION note_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.recorded_at = (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT;
    RETURN NEW;
END $$;
CREATE TRIGGER games_recorded_new BEFORE INSERT ON games FOR EACH ROW
    WHEN (NEW.status = 'finished' AND NEW.recorded_at IS NULL) EXECUTE FUNCTION note_recorded();
CREATE TRIGGER games_recorded BEFORE UPDATE ON games FOR EACH ROW
    WHEN (NEW.status = 'finished' AND OLD.status <> 'finished' AND NEW.recorded_at IS NULL)
    EXECUTE FUNCTION note_recorded();
