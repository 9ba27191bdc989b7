DROP TRIGGER games_recorded ON games;
DROP TRIGGER games_recorded_new ON games;
DROP FUNCTION note_recorded();
