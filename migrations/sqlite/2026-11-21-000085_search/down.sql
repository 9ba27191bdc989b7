DROP TABLE terms_end;
DROP TABLE terms;
DROP TABLE finished_games;
