-- Accounts, tokens, agents, numbers, calls, money. Amounts are whole cents; times are UTC.

CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  balance_cents bigint NOT NULL DEFAULT 0,
  reserved_cents bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT accounts_never_overdrawn CHECK (reserved_cents >= 0 AND balance_cents >= reserved_cents)
);

-- The secret itself is never stored.
CREATE TABLE tokens (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  secret_sha256 bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  last4 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX tokens_account ON tokens (account_id);

CREATE TABLE agents (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'live', 'paused')),
  version integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE UNIQUE INDEX agents_name ON agents (account_id, name) WHERE deleted_at IS NULL;
CREATE INDEX agents_recent ON agents (account_id, updated_at DESC, id) WHERE deleted_at IS NULL;

CREATE TABLE agent_versions (
  agent_id text NOT NULL REFERENCES agents (id),
  version integer NOT NULL,
  definition jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (agent_id, version)
);

CREATE TABLE numbers (
  number text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  agent_id text NOT NULL REFERENCES agents (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX numbers_agent ON numbers (agent_id);

CREATE TABLE calls (
  id text PRIMARY KEY,
  sip_call_id text NOT NULL,
  account_id text NOT NULL REFERENCES accounts (id),
  agent_id text NOT NULL,
  agent_version integer NOT NULL,
  agent_name text NOT NULL,
  from_number text NOT NULL,
  to_number text NOT NULL,
  gateway text NOT NULL, -- which gateway process holds it, see gateways
  started_at timestamptz NOT NULL,
  answered_at timestamptz,
  ended_at timestamptz,
  talk_ms integer NOT NULL DEFAULT 0,
  end_party text,
  end_reason text,
  end_detail text,
  dtmf text NOT NULL DEFAULT '',
  quality jsonb,
  recording text,
  recording_state text CHECK (recording_state IN ('pending', 'ready', 'failed')),
  cost_cents bigint NOT NULL DEFAULT 0
);
CREATE INDEX calls_sip_call_id ON calls (sip_call_id);
CREATE INDEX calls_recent ON calls (started_at DESC, id);
CREATE INDEX calls_account_recent ON calls (account_id, started_at DESC, id);
CREATE INDEX calls_open ON calls (gateway) WHERE ended_at IS NULL;
CREATE INDEX calls_recording_pending ON calls (id) WHERE recording_state = 'pending';

CREATE TABLE turns (
  call_id text NOT NULL REFERENCES calls (id),
  index integer NOT NULL,
  role text NOT NULL CHECK (role IN ('caller', 'agent')),
  text text NOT NULL,
  started_ms integer NOT NULL,
  heard_ms integer NOT NULL,
  latency_ms integer,
  timings jsonb,
  PRIMARY KEY (call_id, index)
);

-- One row a charge, made before the service; see src/billing/charge-state.ts.
CREATE TABLE charges (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  owner text NOT NULL, -- the call, session or request it belongs to
  kind text NOT NULL,
  state text NOT NULL CHECK (state IN ('reserved', 'settled', 'released')),
  reserved_cents bigint NOT NULL CHECK (reserved_cents >= 0),
  settled_cents bigint NOT NULL DEFAULT 0 CHECK (settled_cents >= 0),
  shortfall_cents bigint NOT NULL DEFAULT 0 CHECK (shortfall_cents >= 0), -- due, but not covered by the balance
  gateway text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz
);
CREATE INDEX charges_owner ON charges (owner);
CREATE INDEX charges_open ON charges (gateway) WHERE state = 'reserved';

-- Append-only: the balance of an account is the sum of its rows, and changes only together with them.
CREATE TABLE ledger (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE, -- charge id or top-up id: nothing is booked twice
  account_id text NOT NULL REFERENCES accounts (id),
  kind text NOT NULL,
  cents bigint NOT NULL CHECK (cents <> 0),
  balance_after_cents bigint NOT NULL,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ledger_account ON ledger (account_id, seq);

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END $$;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Live transcription sockets: opened before service, checkpointed while it lasts.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  kind text NOT NULL,
  gateway text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  checkpoint_at timestamptz NOT NULL DEFAULT now(),
  checkpoint_ms integer NOT NULL DEFAULT 0, -- audio received
  ended_at timestamptz,
  end_reason text,
  cost_cents bigint NOT NULL DEFAULT 0
);
CREATE INDEX sessions_open ON sessions (gateway) WHERE ended_at IS NULL;
CREATE INDEX sessions_account ON sessions (account_id, started_at DESC);

-- Gateway processes: what a dead one left open is closed by whoever notices.
CREATE TABLE gateways (
  id text PRIMARY KEY, -- unique per start
  node text NOT NULL, -- stable per installation
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE idempotency_keys (
  account_id text NOT NULL REFERENCES accounts (id),
  path text NOT NULL,
  key text NOT NULL,
  request_sha256 bytea NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'done')),
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  locked_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, path, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- Facts about this installation that are not rows of anything else.
CREATE TABLE settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
