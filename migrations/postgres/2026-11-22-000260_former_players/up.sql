-- The account that sat here last and does so no more; null where none did.
ALTER TABLE seats ADD COLUMN former TEXT;
