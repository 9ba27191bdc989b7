-- Programs of before, which tell openings of Antike Duellum by the rule of before, write down no more by what games are
-- searched: they find that everything is written. What they may have written since is written anew.
ALTER TABLE terms_end ADD COLUMN reached BIGINT NOT NULL DEFAULT 0;
DELETE FROM terms WHERE game IN (SELECT number FROM games WHERE edition = 'antike_duellum');
UPDATE terms_end SET reached = position;
UPDATE terms_end
SET reached = (SELECT MIN(finished_position) - 1 FROM games WHERE edition = 'antike_duellum')
WHERE reached >= (SELECT MIN(finished_position) FROM games WHERE edition = 'antike_duellum');
UPDATE terms_end SET position = 9223372036854775807;
