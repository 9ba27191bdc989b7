DELETE FROM sqlite_stat1 WHERE tbl = 'names';
DROP TRIGGER names_changed;
DROP TRIGGER names_left;
DROP TRIGGER names_taken;
DROP TABLE names;
