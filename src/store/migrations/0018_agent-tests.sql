-- Dialogues that an agent must hold: as they are written, and what came of holding them.
CREATE TABLE agent_tests (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  account_id text NOT NULL REFERENCES accounts (id),
  yaml text NOT NULL,
  required boolean NOT NULL DEFAULT false, -- no version takes calls that does not hold them
  revision integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE agent_test_runs (
  id text PRIMARY KEY,
  agent_id text NOT NULL REFERENCES agents (id),
  account_id text NOT NULL REFERENCES accounts (id),
  agent_version integer, -- none: a definition that was not saved
  mode text NOT NULL CHECK (mode IN ('text', 'voice')),
  trigger text NOT NULL CHECK (trigger IN ('asked', 'publish')),
  state text NOT NULL CHECK (state IN ('running', 'passed', 'failed', 'broken')),
  why text,
  dialogues integer NOT NULL,
  results jsonb NOT NULL DEFAULT '[]',
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX agent_test_runs_agent ON agent_test_runs (agent_id, started_at DESC, id DESC);
