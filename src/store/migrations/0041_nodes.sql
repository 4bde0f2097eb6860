-- What a gateway says of itself, and whether it is to take nothing new. See src/store/nodes.md.
ALTER TABLE gateways
  ADD COLUMN says jsonb, -- version, addresses, phase, calls, capacity
  ADD COLUMN drain_asked_at timestamptz; -- gone with the next start
