DROP INDEX games_by_rated_end;
DROP TABLE ratings_end;
DROP TABLE rating_changes;
DROP TABLE ratings;
