-- What somebody wrote of a version, comments and all; the definition is what counts.
ALTER TABLE agent_versions ADD COLUMN yaml text CHECK (char_length(yaml) <= 1000000);
