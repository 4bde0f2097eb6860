-- A call of which everything personal was removed: what it cost stays.
ALTER TABLE calls ADD COLUMN erased_at timestamptz;
CREATE INDEX dial_orders_call ON dial_orders (call_id) WHERE call_id IS NOT NULL;
