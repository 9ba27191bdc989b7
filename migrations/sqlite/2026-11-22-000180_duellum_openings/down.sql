-- The program of before has other openings: what its finished games are searched by is written anew.
DELETE FROM terms WHERE game IN (SELECT number FROM games WHERE edition = 'antike_duellum');
UPDATE terms_end
SET position = (SELECT MIN(finished_position) - 1 FROM games WHERE edition = 'antike_duellum')
WHERE position >= (SELECT MIN(finished_position) FROM games WHERE edition = 'antike_duellum');
