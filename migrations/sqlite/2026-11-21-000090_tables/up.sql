-- Who may see the game: 'public', 'unlisted' (whoever knows its id) or 'private' (who has to do with it).
ALTER TABLE games ADD COLUMN visibility TEXT NOT NULL DEFAULT 'public';
-- Who may claim its open seats: 'open' (anybody) or 'invited' (accounts for which they are kept).
ALTER TABLE games ADD COLUMN claims TEXT NOT NULL DEFAULT 'open';
-- What is asked of whom, with the event behind which that is so, as JSON. Null, or of another event, where a
-- program of before has written: it is found anew then.
ALTER TABLE games ADD COLUMN pending TEXT;
-- The account that is waited for. As true as `pending`.
ALTER TABLE games ADD COLUMN waiting_for TEXT;
-- The game that the same players went on with.
ALTER TABLE games ADD COLUMN rematch TEXT;
