-- Files that an agent answers from: as they were sent, and what the reader made of them.
CREATE TABLE agent_documents (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  agent_id text NOT NULL REFERENCES agents (id),
  name text NOT NULL,
  type text NOT NULL, -- media type, by the first bytes
  size integer NOT NULL, -- bytes
  bytes bytea NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'indexing', 'ready', 'failed')),
  reason text, -- why it failed, as a code
  detail text, -- and in the reader's words
  tries integer NOT NULL DEFAULT 0, -- readings that were begun: one that never ends is not begun for ever
  lines bytea, -- the text with its shape, packed
  characters integer,
  words integer,
  pages integer,
  excerpt text, -- how the text begins
  created_at timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(), -- when the state last changed
  UNIQUE (agent_id, name)
);
CREATE INDEX agent_documents_account ON agent_documents (account_id);
CREATE INDEX agent_documents_open ON agent_documents (touched_at) WHERE state IN ('queued', 'indexing');
-- Parts of them are read without the rest.
ALTER TABLE agent_documents ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE agent_documents ALTER COLUMN lines SET STORAGE EXTERNAL;
