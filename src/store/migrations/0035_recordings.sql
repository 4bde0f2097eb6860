-- Where each recording is, from the beginning of its call on: on the disk of the node that makes it, or in the home that all
-- nodes share. A row that is not wanted any more stays until whoever holds the file has removed it.
CREATE TABLE recordings (
  call_id text PRIMARY KEY,
  node text NOT NULL, -- the second part of the ids of its gateways
  name text NOT NULL UNIQUE, -- path below the data folder, and key in the home
  place text NOT NULL DEFAULT 'node' CHECK (place IN ('node', 'home')),
  wanted boolean NOT NULL DEFAULT true,
  bytes bigint, -- of the file as it is kept in the home
  sha256 text,
  created_at timestamptz NOT NULL DEFAULT now(),
  stored_at timestamptz
);
CREATE INDEX recordings_on_node ON recordings (node) WHERE place = 'node';
CREATE INDEX recordings_unwanted ON recordings (call_id) WHERE NOT wanted;
INSERT INTO recordings (call_id, node, name)
  SELECT id, split_part(gateway, '_', 2), recording FROM calls WHERE recording IS NOT NULL ON CONFLICT DO NOTHING;
