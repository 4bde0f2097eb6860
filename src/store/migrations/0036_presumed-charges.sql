-- A hold of a gateway that was taken for dead is given back as `presumed`: its gateway may live, cut off from the database, and the
-- work be done. It is settled late then, once, from what is free; or released for good. See src/billing/charge-state.ts.
ALTER TABLE charges DROP CONSTRAINT charges_state_check;
ALTER TABLE charges ADD CONSTRAINT charges_state_check CHECK (state IN ('reserved', 'settled', 'released', 'presumed'));
CREATE INDEX charges_presumed ON charges (gateway) WHERE state = 'presumed';

-- presumed | closed | unknown-charge
CREATE FUNCTION charge_presume(p_id text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN RETURN 'unknown-charge'; END IF;
  PERFORM 1 FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state <> 'reserved' THEN RETURN 'closed'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents - c.reserved_cents WHERE id = c.account_id;
  UPDATE charges SET state = 'presumed', reserved_cents = 0, closed_at = now() WHERE id = p_id;
  RETURN 'presumed';
END $$;

-- As before, and of a charge that is presumed: it is held anew.
CREATE OR REPLACE FUNCTION charge_raise(p_id text, p_cents bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges; a accounts; more bigint;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN RETURN 'unknown-charge'; END IF;
  SELECT * INTO a FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state NOT IN ('reserved', 'presumed') THEN RETURN 'closed'; END IF;
  more := p_cents - c.reserved_cents;
  IF more <= 0 THEN RETURN 'raised'; END IF;
  IF account_available(a) < more THEN RETURN 'insufficient-credit'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents + more WHERE id = c.account_id;
  UPDATE charges SET state = 'reserved', reserved_cents = p_cents, closed_at = NULL WHERE id = p_id;
  RETURN 'raised';
END $$;

-- As before, and of a charge that is presumed.
CREATE OR REPLACE FUNCTION charge_settle(p_id text, p_cents bigint, OUT outcome text, OUT cents bigint, OUT shortfall bigint)
LANGUAGE plpgsql AS $$
DECLARE c charges; available bigint; after bigint;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN outcome := 'unknown-charge'; cents := 0; shortfall := 0; RETURN; END IF;
  SELECT balance_cents - reserved_cents INTO available FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state NOT IN ('reserved', 'presumed') THEN
    outcome := 'closed'; cents := c.settled_cents; shortfall := c.shortfall_cents; RETURN;
  END IF;
  cents := LEAST(p_cents, c.reserved_cents + available);
  shortfall := p_cents - cents;
  UPDATE accounts SET balance_cents = balance_cents - cents, reserved_cents = reserved_cents - c.reserved_cents
    WHERE id = c.account_id RETURNING balance_cents INTO after;
  UPDATE charges SET state = 'settled', settled_cents = cents, shortfall_cents = shortfall, closed_at = now() WHERE id = p_id;
  IF cents <> 0 THEN
    INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents) VALUES (p_id, c.account_id, c.kind, -cents, after);
  END IF;
  outcome := 'settled';
END $$;

CREATE OR REPLACE FUNCTION charge_release(p_id text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN RETURN 'unknown-charge'; END IF;
  PERFORM 1 FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state NOT IN ('reserved', 'presumed') THEN RETURN 'closed'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents - c.reserved_cents WHERE id = c.account_id;
  UPDATE charges SET state = 'released', closed_at = now() WHERE id = p_id;
  RETURN 'released';
END $$;

CREATE OR REPLACE FUNCTION charge_void(p_id text, p_account text, p_owner text, p_kind text, p_gateway text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges; after bigint;
BEGIN
  PERFORM 1 FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown-account'; END IF;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN
    INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, gateway, closed_at)
    VALUES (p_id, p_account, p_owner, p_kind, 'released', 0, p_gateway, now());
  ELSIF c.state IN ('reserved', 'presumed') THEN
    PERFORM charge_release(p_id);
  ELSIF c.state = 'settled' THEN
    UPDATE accounts SET balance_cents = balance_cents + c.settled_cents WHERE id = p_account RETURNING balance_cents INTO after;
    UPDATE charges SET state = 'released', settled_cents = 0, shortfall_cents = 0, closed_at = now() WHERE id = p_id;
    IF c.settled_cents <> 0 THEN
      INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, note)
      VALUES (p_id || '/reversal', p_account, c.kind, c.settled_cents, after, 'the request failed');
    END IF;
  END IF;
  RETURN 'voided';
END $$;

-- As before; who goes on after it was taken for dead has what was presumed as well, to be raised or settled.
CREATE OR REPLACE FUNCTION gateway_claim(p_id text, p_node text, p_place text, p_host text, p_beat text, p_lease interval, p_former text,
  OUT outcome text, OUT holder_host text, OUT holder_beat text, OUT left_ms double precision)
LANGUAGE plpgsql AS $$
DECLARE g gateways;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('gateway ' || p_node, 0));
  SELECT * INTO g FROM gateways WHERE node = p_node AND fenced_at IS NULL FOR UPDATE;
  IF FOUND AND gateway_lives(g) AND (p_former IS NOT NULL OR g.place <> p_place) THEN
    outcome := 'taken'; holder_host := g.host; holder_beat := g.beat;
    left_ms := extract(epoch FROM coalesce(g.expires_at, g.seen_at + interval '5 minutes') - now()) * 1000;
    RETURN;
  END IF;
  UPDATE gateways SET fenced_at = now() WHERE id = g.id;
  INSERT INTO gateways (id, node, place, host, beat, expires_at) VALUES (p_id, p_node, p_place, p_host, p_beat, now() + p_lease)
  ON CONFLICT (id) DO UPDATE SET place = p_place, host = p_host, beat = p_beat, seen_at = now(), expires_at = now() + p_lease, fenced_at = NULL;
  IF p_former IS NOT NULL THEN
    UPDATE calls SET gateway = p_id WHERE gateway = p_former AND ended_at IS NULL;
    UPDATE sessions SET gateway = p_id WHERE gateway = p_former AND ended_at IS NULL;
    UPDATE charges SET gateway = p_id WHERE gateway = p_former AND state = 'reserved';
    UPDATE charges SET gateway = p_id WHERE gateway = p_former AND state = 'presumed';
    UPDATE dial_orders SET gateway = p_id WHERE gateway = p_former AND state IN ('dialling', 'ringing', 'answered');
    UPDATE idempotency_keys SET gateway = p_id WHERE gateway = p_former AND state = 'running';
  END IF;
  outcome := 'held';
END $$;

-- What the journal of a dead gateway books when it starts again belongs to calls that others have closed.
CREATE INDEX calls_interrupted ON calls (gateway) WHERE end_reason = 'interrupted';
