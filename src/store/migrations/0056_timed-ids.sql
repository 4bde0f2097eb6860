-- expand: ids of calls, charges and live transcriptions begin with their hour from here on; what is there has none, and says so for 0058
-- safe calls: an older gateway makes ids that begin with a letter or 2 to 7
-- safe turns: as calls
-- safe charges: as calls

-- What ids of this kind begin with in the hour of p_at, as `idsFrom` of src/core/ids.ts.
CREATE FUNCTION timed_id(p_prefix text, p_at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_prefix || '_' || lpad(floor((extract(epoch FROM p_at) - 1577836800) / 3600)::bigint::text, 7, '0')
$$;

-- As the bounds of 0058 are read by PostgreSQL: with these it need not look through all rows, while everybody waits.
ALTER TABLE calls ADD CONSTRAINT calls_untimed CHECK (NOT (id IS NOT NULL AND id >= 'call_0' AND id < 'call_1')) NOT VALID;
ALTER TABLE turns ADD CONSTRAINT turns_untimed CHECK (NOT (call_id IS NOT NULL AND call_id >= 'call_0' AND call_id < 'call_1')) NOT VALID;
ALTER TABLE charges ADD CONSTRAINT charges_untimed CHECK (NOT (id IS NOT NULL AND id >= 'call_0' AND id < 'call_1')
  AND NOT (id IS NOT NULL AND id >= 'chg_0' AND id < 'chg_1') AND NOT (id IS NOT NULL AND id >= 'ts_0' AND id < 'ts_1')) NOT VALID;

-- What outgoing calls since p_since may cost or have cost. Their charges are looked for in the months that they can be in.
CREATE OR REPLACE FUNCTION dial_spend(p_account text, p_since timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum((SELECT sum(CASE c.state WHEN 'reserved' THEN c.reserved_cents WHEN 'settled' THEN c.settled_cents ELSE 0 END) FROM charges c
    WHERE c.owner = k.id AND c.id >= timed_id('call', p_since - interval '1 day') AND c.id < 'chg')), 0)::bigint
  FROM calls k
  WHERE k.account_id = p_account AND k.direction = 'outbound' AND k.started_at >= p_since AND k.id >= timed_id('call', p_since - interval '1 day')
$$;
