-- What each gateway holds and has let in, for the limits of accounts that all gateways keep together. Two seconds old at most, so not in
-- the write-ahead log.
CREATE UNLOGGED TABLE gateway_use (
  gateway text PRIMARY KEY,
  report jsonb NOT NULL,
  told_at timestamptz NOT NULL
);
