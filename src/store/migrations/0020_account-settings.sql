-- What an account sets for itself: how much it may use in a day, and how long what is personal is kept. No value: no limit.
ALTER TABLE accounts ADD COLUMN time_zone text NOT NULL DEFAULT 'Asia/Riyadh'; -- whose days
ALTER TABLE accounts ADD COLUMN calls_at_once_max integer CHECK (calls_at_once_max >= 0);
ALTER TABLE accounts ADD COLUMN calls_a_day_max integer CHECK (calls_a_day_max >= 0);
ALTER TABLE accounts ADD COLUMN spend_a_day_max_cents bigint CHECK (spend_a_day_max_cents >= 0);
ALTER TABLE accounts ADD COLUMN recordings_days integer CHECK (recordings_days > 0);
ALTER TABLE accounts ADD COLUMN transcripts_days integer CHECK (transcripts_days > 0);
-- What was taken from the balance on that day, of accounts that limit it: nobody adds up a ledger while a caller waits.
ALTER TABLE accounts ADD COLUMN spent_on date;
ALTER TABLE accounts ADD COLUMN spent_cents bigint NOT NULL DEFAULT 0;
CREATE INDEX calls_account_open ON calls (account_id) WHERE ended_at IS NULL;
CREATE INDEX calls_ended_unerased ON calls (account_id, ended_at) WHERE erased_at IS NULL;
CREATE INDEX calls_ended_recorded ON calls (account_id, ended_at) WHERE recording IS NOT NULL;

CREATE FUNCTION account_today(a accounts) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (now() AT TIME ZONE a.time_zone)::date
$$;

CREATE FUNCTION account_spent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.spent_cents := CASE WHEN NEW.spent_on = account_today(NEW) THEN NEW.spent_cents ELSE 0 END
    + OLD.balance_cents - NEW.balance_cents;
  NEW.spent_on := account_today(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER account_spent BEFORE UPDATE OF balance_cents ON accounts
  FOR EACH ROW WHEN (NEW.spend_a_day_max_cents IS NOT NULL AND NEW.balance_cents < OLD.balance_cents) EXECUTE FUNCTION account_spent();

CREATE FUNCTION account_spent_today(a accounts) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN a.spent_on = account_today(a) THEN a.spent_cents ELSE 0 END
$$;
-- What may still be spent today, holds included; no value: whatever the balance has.
CREATE FUNCTION account_spend_left(a accounts) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN a.spend_a_day_max_cents IS NOT NULL THEN GREATEST(0, a.spend_a_day_max_cents - account_spent_today(a)) END
$$;
-- What a new hold may take.
CREATE FUNCTION account_available(a accounts) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN a.spend_a_day_max_cents IS NULL THEN a.balance_cents - a.reserved_cents
    ELSE GREATEST(0, LEAST(a.balance_cents, account_spend_left(a)) - a.reserved_cents) END
$$;

-- Why an account begins no call now: calls-at-once | calls-a-day | spend-a-day. `p_but` is the call that asks.
CREATE FUNCTION account_refusal(p_account text, p_but text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE a accounts; taken bigint; day timestamptz;
BEGIN
  SELECT * INTO a FROM accounts WHERE id = p_account;
  IF NOT FOUND OR (a.calls_at_once_max IS NULL AND a.calls_a_day_max IS NULL AND a.spend_a_day_max_cents IS NULL) THEN
    RETURN NULL;
  END IF;
  SELECT * INTO a FROM accounts WHERE id = p_account FOR NO KEY UPDATE; -- one call after the other
  IF account_spend_left(a) <= a.reserved_cents THEN RETURN 'spend-a-day'; END IF;
  IF a.calls_at_once_max IS NOT NULL THEN
    SELECT count(*) INTO taken FROM calls WHERE account_id = p_account AND ended_at IS NULL AND id <> p_but;
    IF taken >= a.calls_at_once_max THEN RETURN 'calls-at-once'; END IF;
  END IF;
  IF a.calls_a_day_max IS NOT NULL THEN
    day := account_today(a)::timestamp AT TIME ZONE a.time_zone;
    SELECT count(*) INTO taken FROM calls WHERE account_id = p_account AND started_at >= day AND id <> p_but;
    IF taken >= a.calls_a_day_max THEN RETURN 'calls-a-day'; END IF;
  END IF;
  RETURN NULL;
END $$;

-- What an account has spent today, by its ledger.
CREATE FUNCTION account_spent_by_ledger(a accounts) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(-sum(cents), 0)::bigint FROM ledger WHERE account_id = a.id AND cents < 0
    AND created_at >= account_today(a)::timestamp AT TIME ZONE a.time_zone
$$;

-- As before, but within what the account may spend today.
CREATE OR REPLACE FUNCTION charge_reserve(p_id text, p_account text, p_cents bigint, p_owner text, p_kind text, p_gateway text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE a accounts;
BEGIN
  SELECT * INTO a FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown-account'; END IF;
  PERFORM 1 FROM charges WHERE id = p_id;
  IF FOUND THEN RETURN 'duplicate'; END IF;
  IF account_available(a) < p_cents THEN RETURN 'insufficient-credit'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents + p_cents WHERE id = p_account;
  INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, gateway)
  VALUES (p_id, p_account, p_owner, p_kind, 'reserved', p_cents, p_gateway);
  RETURN 'reserved';
END $$;

CREATE OR REPLACE FUNCTION charge_raise(p_id text, p_cents bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE c charges; a accounts; more bigint;
BEGIN
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF NOT FOUND THEN RETURN 'unknown-charge'; END IF;
  SELECT * INTO a FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM charges WHERE id = p_id;
  IF c.state <> 'reserved' THEN RETURN 'closed'; END IF;
  more := p_cents - c.reserved_cents;
  IF more <= 0 THEN RETURN 'raised'; END IF;
  IF account_available(a) < more THEN RETURN 'insufficient-credit'; END IF;
  UPDATE accounts SET reserved_cents = reserved_cents + more WHERE id = c.account_id;
  UPDATE charges SET reserved_cents = p_cents WHERE id = p_id;
  RETURN 'raised';
END $$;

-- What was given already is taken from the balance, whatever may be spent today: with p_partial no hold has to fit in.
CREATE OR REPLACE FUNCTION charge_now(p_id text, p_account text, p_cents bigint, p_owner text, p_kind text, p_gateway text,
  p_partial boolean, OUT outcome text, OUT cents bigint, OUT shortfall bigint)
LANGUAGE plpgsql AS $$
DECLARE a accounts; due bigint;
BEGIN
  cents := 0; shortfall := 0;
  SELECT * INTO a FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN outcome := 'unknown-account'; RETURN; END IF;
  due := CASE WHEN p_partial THEN LEAST(p_cents, account_available(a)) ELSE p_cents END;
  outcome := charge_reserve(p_id, p_account, due, p_owner, p_kind, p_gateway);
  IF outcome NOT IN ('reserved', 'duplicate') THEN RETURN; END IF;
  SELECT s.outcome, s.cents, s.shortfall INTO outcome, cents, shortfall FROM charge_settle(p_id, p_cents) AS s;
END $$;
