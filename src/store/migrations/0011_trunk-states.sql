-- How the trunks are, as each running gateway sees them; it takes its rows back when it ends, and they are old when it dies.
CREATE TABLE trunk_states (
  trunk_id text NOT NULL REFERENCES trunks (id) ON DELETE CASCADE,
  gateway text NOT NULL,
  status jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (trunk_id, gateway)
);
