DROP TABLE terms_end;
DROP TABLE terms;
