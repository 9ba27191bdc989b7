-- A definition comes into force again when an older program does: when is a part of the key.
ALTER TABLE definitions DROP CONSTRAINT definitions_pkey;
ALTER TABLE definitions ADD PRIMARY KEY (measure, definition, at);
