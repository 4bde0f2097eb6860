-- Who may call in, and how calls go out.

-- Of all accounts where it names none. Passwords are sealed with a key that is not in the database.
CREATE TABLE trunks (
  id text PRIMARY KEY,
  account_id text REFERENCES accounts (id),
  name text NOT NULL,
  definition jsonb NOT NULL,
  sealed bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX trunks_name ON trunks (coalesce(account_id, ''), name);

-- `username` is whom a phone says it is: unique over all accounts, for a registrar has one realm.
CREATE TABLE phones (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  username text NOT NULL UNIQUE,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, name)
);

-- Calls that came to nothing before they had a record. The oldest leave: see `RefusedCallRows`.
CREATE TABLE refused_calls (
  seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  from_number text NOT NULL,
  to_number text NOT NULL,
  source_address text NOT NULL,
  transport text NOT NULL,
  sip_call_id text NOT NULL,
  trunk text,
  account_id text,
  reason text NOT NULL,
  detail text NOT NULL,
  remedy text NOT NULL,
  gateway text NOT NULL
);

-- Who sent a call in: a trunk or a phone, by name; `loopback` and `anonymous` have none. Unknown of calls before this.
ALTER TABLE calls ADD COLUMN source_kind text CHECK (source_kind IN ('trunk', 'phone', 'loopback', 'anonymous'));
ALTER TABLE calls ADD COLUMN source_name text;
