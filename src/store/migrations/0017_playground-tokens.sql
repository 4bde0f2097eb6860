-- API tokens of people who try things in the console: they end by themselves, and with the person.
ALTER TABLE tokens ADD COLUMN person_id text REFERENCES people (id) ON DELETE CASCADE;
ALTER TABLE tokens ADD COLUMN expires_at timestamptz;
ALTER TABLE tokens ADD CONSTRAINT tokens_person_expires CHECK (person_id IS NULL OR expires_at IS NOT NULL);
CREATE INDEX tokens_person ON tokens (person_id) WHERE person_id IS NOT NULL;
