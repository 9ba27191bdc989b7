-- The signature of the league's log up to its last event, as JSON; null where no key was there to sign.
ALTER TABLE leagues ADD COLUMN signature TEXT;
