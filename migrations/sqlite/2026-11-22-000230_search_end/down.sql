UPDATE terms_end SET position = reached;
ALTER TABLE terms_end DROP COLUMN reached;
