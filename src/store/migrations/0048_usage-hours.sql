-- expand: what was used, summed by hour, so that the usage of a month does not read every booking of it. See src/store/usage.ts.
CREATE TABLE usage_hours (
  account_id text NOT NULL, -- refers to nothing: a reference would lock the account's row, which bookings wait for
  hour timestamptz NOT NULL, -- its beginning
  kind text NOT NULL,
  agent_id text NOT NULL, -- '': of no call
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (account_id, hour, kind, agent_id)
);
