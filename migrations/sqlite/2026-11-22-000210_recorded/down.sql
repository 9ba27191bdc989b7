DROP TRIGGER games_recorded;
DROP TRIGGER games_recorded_new;
