DROP TRIGGER seats_names ON seats;
DROP FUNCTION keep_names();
DROP TABLE names;
