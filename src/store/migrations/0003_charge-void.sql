-- A request failed and nobody knows whether its charge came through: gives back whatever it took, and leaves a closed
-- charge where there was none, so that one that is still on its way finds it and changes nothing. Of a charge that is
-- settled the booking is reversed in the ledger under an id of its own. voided | unknown-account
CREATE FUNCTION charge_void(p_id text, p_account text, p_owner text, p_kind text, p_gateway text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges; after bigint;
BEGIN
  PERFORM 1 FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown-account'; END IF;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN
    INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, gateway, closed_at)
    VALUES (p_id, p_account, p_owner, p_kind, 'released', 0, p_gateway, now());
  ELSIF c.state = 'reserved' THEN
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

-- Which gateway process runs the request: what a dead one left running may be run again at once.
ALTER TABLE idempotency_keys ADD COLUMN gateway text;
CREATE INDEX idempotency_keys_running ON idempotency_keys (gateway) WHERE state = 'running';
