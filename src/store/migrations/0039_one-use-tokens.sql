-- Tokens that open one socket within a minute, on whichever gateway the client reaches. Not in the write-ahead log: after a crash of
-- the server they are asked for again.
CREATE UNLOGGED TABLE one_use_tokens (
  token_sha256 bytea PRIMARY KEY,
  kind text NOT NULL, -- socket | talk
  held jsonb NOT NULL, -- what it allows
  expires_at timestamptz NOT NULL
);
CREATE INDEX one_use_tokens_expired ON one_use_tokens (expires_at);
