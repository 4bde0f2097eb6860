-- Where phones are, so that a restart does not lose them: all contacts of one phone, good until the last of them runs out.
CREATE TABLE registrations (
  phone_id text PRIMARY KEY REFERENCES phones (id) ON DELETE CASCADE,
  bindings jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
