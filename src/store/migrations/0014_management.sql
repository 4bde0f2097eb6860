-- Who manages: keys for programs, people with a password and their sessions, and what they have changed.

-- The secret itself is never stored.
CREATE TABLE management_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  scopes text[] NOT NULL,
  secret_sha256 bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  last4 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX management_keys_account ON management_keys (account_id);

CREATE TABLE people (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  email text NOT NULL UNIQUE, -- in lower case
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'owner', 'operator')),
  password_hash text, -- argon2id, as a PHC string; none before the link of the invitation was used
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  signed_in_at timestamptz
);
CREATE INDEX people_account ON people (account_id);

-- One-time links that set a password: of a person, or of the first one of an installation, who is made by it.
CREATE TABLE password_links (
  secret_sha256 bytea PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  person_id text REFERENCES people (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_links_person ON password_links (person_id);

CREATE TABLE person_sessions (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  secret_sha256 bytea NOT NULL UNIQUE,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX person_sessions_person ON person_sessions (person_id);

-- Every change that was made by hand or key: no secrets, and no rule that ties it to what may be deleted later.
CREATE TABLE audit_entries (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  account_id text NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('person', 'key', 'link', 'shell')),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text NOT NULL
);
CREATE INDEX audit_entries_account ON audit_entries (account_id, seq);
