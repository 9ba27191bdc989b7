ALTER TABLE leagues DROP COLUMN signature;
