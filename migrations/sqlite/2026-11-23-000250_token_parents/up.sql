-- The token with which a token was created: revoking it revokes both. Null for the first token of an account and for
-- those that the operator creates.
ALTER TABLE tokens ADD COLUMN parent TEXT REFERENCES tokens (id);
CREATE INDEX tokens_by_parent ON tokens (parent) WHERE parent IS NOT NULL;

-- Whether a bearer token belongs to a game is looked up by its hash.
CREATE INDEX seats_by_token ON seats (token) WHERE token IS NOT NULL;
CREATE INDEX games_by_organizer ON games (organizer) WHERE organizer IS NOT NULL;
