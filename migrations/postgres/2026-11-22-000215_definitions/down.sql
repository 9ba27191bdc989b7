DELETE FROM definitions later USING definitions first
    WHERE later.measure = first.measure AND later.definition = first.definition AND later.at > first.at;
ALTER TABLE definitions DROP CONSTRAINT definitions_pkey;
ALTER TABLE definitions ADD PRIMARY KEY (measure, definition);
