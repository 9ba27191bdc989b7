ALTER TABLE games DROP COLUMN rematch;
ALTER TABLE games DROP COLUMN waiting_for;
ALTER TABLE games DROP COLUMN pending;
ALTER TABLE games DROP COLUMN claims;
ALTER TABLE games DROP COLUMN visibility;
