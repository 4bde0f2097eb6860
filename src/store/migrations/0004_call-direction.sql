-- Who called: a caller in, or an agent out. Every call before this one came in.
ALTER TABLE calls ADD COLUMN direction text NOT NULL DEFAULT 'inbound' CHECK (direction IN ('inbound', 'outbound'));
