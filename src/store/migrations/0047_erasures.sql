-- expand: people who were erased, without their numbers: a hash with the key of the installation, by which a restored backup of before is
-- erased again. See src/store/data-life.md.
CREATE TABLE erasures (
  id text PRIMARY KEY,
  account_id text REFERENCES accounts (id), -- NULL: of all accounts
  number_hmac bytea NOT NULL,
  country_code text NOT NULL, -- numbers without one were taken for numbers of it
  asked_at timestamptz NOT NULL DEFAULT now(),
  found jsonb NOT NULL, -- how much of each kind
  waits jsonb NOT NULL, -- calls and orders that go on, and calls whose recordings are still somewhere
  done_at timestamptz
);
CREATE INDEX erasures_open ON erasures (asked_at) WHERE done_at IS NULL;
CREATE INDEX erasures_account ON erasures (account_id, asked_at DESC);
