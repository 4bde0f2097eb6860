-- Every movement of money, each one statement for its caller. All of them lock the account first and the charge second,
-- so they cannot deadlock one another, and a second look after the lock sees what a twin has just committed.

-- reserved | duplicate | insufficient-credit | unknown-account
CREATE FUNCTION charge_reserve(p_id text, p_account text, p_cents bigint, p_owner text, p_kind text, p_gateway text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE available bigint;
BEGIN
  SELECT balance_cents - reserved_cents INTO available FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown-account'; END IF;
  PERFORM 1 FROM charges WHERE id = p_id;
  IF FOUND THEN RETURN 'duplicate'; END IF;
  IF available < p_cents THEN RETURN 'insufficient-credit'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents + p_cents WHERE id = p_account;
  INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, gateway)
  VALUES (p_id, p_account, p_owner, p_kind, 'reserved', p_cents, p_gateway);
  RETURN 'reserved';
END $$;

-- Holds at least p_cents in all for an open charge: raised | insufficient-credit | closed | unknown-charge
CREATE FUNCTION charge_raise(p_id text, p_cents bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges; available bigint; more bigint;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN RETURN 'unknown-charge'; END IF;
  SELECT balance_cents - reserved_cents INTO available FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state <> 'reserved' THEN RETURN 'closed'; END IF;
  more := p_cents - c.reserved_cents;
  IF more <= 0 THEN RETURN 'raised'; END IF;
  IF available < more THEN RETURN 'insufficient-credit'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents + more WHERE id = c.account_id;
  UPDATE charges SET reserved_cents = p_cents WHERE id = p_id;
  RETURN 'raised';
END $$;

-- Books p_cents, first from what is held and then from what is free; what neither covers is a shortfall, never a debt.
-- outcome: settled | closed | unknown-charge; cents: what the charge has cost, by this or an earlier settling.
CREATE FUNCTION charge_settle(p_id text, p_cents bigint, OUT outcome text, OUT cents bigint, OUT shortfall bigint)
LANGUAGE plpgsql AS $$
DECLARE c charges; available bigint; after bigint;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN outcome := 'unknown-charge'; cents := 0; shortfall := 0; RETURN; END IF;
  SELECT balance_cents - reserved_cents INTO available FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state <> 'reserved' THEN
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

-- released | closed | unknown-charge
CREATE FUNCTION charge_release(p_id text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN RETURN 'unknown-charge'; END IF;
  PERFORM 1 FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state <> 'reserved' THEN RETURN 'closed'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents - c.reserved_cents WHERE id = c.account_id;
  UPDATE charges SET state = 'released', closed_at = now() WHERE id = p_id;
  RETURN 'released';
END $$;

-- Reserve and settle at once. With p_partial, what the balance does not cover is a shortfall instead of a refusal: for
-- service that was given already. outcome: settled | closed | insufficient-credit | unknown-account.
CREATE FUNCTION charge_now(p_id text, p_account text, p_cents bigint, p_owner text, p_kind text, p_gateway text,
  p_partial boolean, OUT outcome text, OUT cents bigint, OUT shortfall bigint)
LANGUAGE plpgsql AS $$
DECLARE available bigint; due bigint;
BEGIN
  cents := 0; shortfall := 0;
  SELECT balance_cents - reserved_cents INTO available FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN outcome := 'unknown-account'; RETURN; END IF;
  due := CASE WHEN p_partial THEN LEAST(p_cents, available) ELSE p_cents END;
  outcome := charge_reserve(p_id, p_account, due, p_owner, p_kind, p_gateway);
  IF outcome NOT IN ('reserved', 'duplicate') THEN RETURN; END IF;
  SELECT s.outcome, s.cents, s.shortfall INTO outcome, cents, shortfall FROM charge_settle(p_id, p_cents) AS s;
END $$;

-- done | duplicate | unknown-account | insufficient-credit (a negative correction above what is free)
CREATE FUNCTION account_topup(p_id text, p_account text, p_cents bigint, p_kind text, p_note text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE available bigint; after bigint;
BEGIN
  SELECT balance_cents - reserved_cents INTO available FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown-account'; END IF;
  PERFORM 1 FROM ledger WHERE id = p_id;
  IF FOUND THEN RETURN 'duplicate'; END IF;
  IF available + p_cents < 0 THEN RETURN 'insufficient-credit'; END IF;
  UPDATE accounts SET balance_cents = balance_cents + p_cents WHERE id = p_account RETURNING balance_cents INTO after;
  INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, note)
  VALUES (p_id, p_account, p_kind, p_cents, after, p_note);
  RETURN 'done';
END $$;
