-- Calls that agents are to make. The row is the queue: what is not here was never ordered, and what is here is dialled once.
CREATE TABLE dial_orders (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  agent_id text NOT NULL,
  target text NOT NULL, -- +966..., sip:..., tel:... or phone:...
  from_number text NOT NULL,
  trunk text, -- that was asked for; NULL: whichever may take it
  variables jsonb NOT NULL,
  max_ring_seconds integer NOT NULL CHECK (max_ring_seconds > 0),
  on_machine text NOT NULL CHECK (on_machine IN ('undetected', 'hangup', 'leave-message', 'ignore')),
  message text, -- for the machine; NULL: the agent's greeting
  retry_seconds jsonb NOT NULL, -- cause -> waits
  time_zone text, -- whose calling hours hold; NULL: none
  idempotency_key text,
  request_sha256 bytea NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'dialling', 'ringing', 'answered', 'ended')),
  attempt integer NOT NULL DEFAULT 0, -- INVITEs that left, the one under way included
  next_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  cancel_at timestamptz, -- somebody wants it cancelled
  gateway text, -- who dials
  trunk_id text,
  call_id text,
  sip_call_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  dialling_at timestamptz,
  sent_at timestamptz, -- from here on the INVITE may have left
  ringing_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  line_until timestamptz, -- of a call that was cut off by a crash: its line may be taken until then
  end_party text,
  end_reason text,
  end_detail text
);
CREATE UNIQUE INDEX dial_orders_key ON dial_orders (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX dial_orders_due ON dial_orders (account_id, trunk, next_at, id) WHERE state = 'queued';
CREATE INDEX dial_orders_live ON dial_orders (gateway) WHERE state IN ('dialling', 'ringing', 'answered');
CREATE INDEX dial_orders_lines ON dial_orders (line_until) WHERE line_until IS NOT NULL;
CREATE INDEX dial_orders_recent ON dial_orders (account_id, created_at DESC, id);

-- Every INVITE, for the day's count and the pace of all gateways together.
CREATE TABLE dial_attempts (
  order_id text NOT NULL REFERENCES dial_orders (id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  account_id text NOT NULL,
  trunk_id text,
  sip_call_id text NOT NULL,
  dialling_at timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text,
  PRIMARY KEY (order_id, attempt)
);
CREATE INDEX dial_attempts_account ON dial_attempts (account_id, dialling_at);
CREATE INDEX dial_attempts_trunk ON dial_attempts (trunk_id, dialling_at);

-- Numbers that are not called: of one account, or of all where it has none.
CREATE TABLE do_not_call (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text REFERENCES accounts (id),
  number text NOT NULL,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX do_not_call_number ON do_not_call (number, account_id) NULLS NOT DISTINCT;

-- What calls out of an account have cost since then, holds included.
CREATE FUNCTION dial_spend(p_account text, p_since timestamptz)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE c.state WHEN 'reserved' THEN c.reserved_cents WHEN 'settled' THEN c.settled_cents ELSE 0 END), 0)::bigint
  FROM calls k JOIN charges c ON c.owner = k.id
  WHERE k.account_id = p_account AND k.direction = 'outbound' AND k.started_at >= p_since
$$;

-- An order is taken to be dialled: marked with its Call-ID before anything leaves, within every limit, by one gateway at a time.
-- claimed | gone | trunk-full | trunk-rate | account-full | account-rate | daily-calls | daily-spend
CREATE FUNCTION dial_claim(p_id text, p_gateway text, p_sip_call_id text, p_trunk text, p_trunk_calls integer,
  p_trunk_rate integer, p_account_calls integer, p_account_rate integer, p_day timestamptz, p_day_calls integer,
  p_day_cents bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE o dial_orders; at timestamptz; taken integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7102318346);
  at := clock_timestamp();
  SELECT * INTO o FROM dial_orders WHERE id = p_id AND state = 'queued' AND cancel_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN 'gone'; END IF;
  IF p_trunk IS NOT NULL THEN
    SELECT count(*) INTO taken FROM dial_orders WHERE trunk_id = p_trunk AND state IN ('dialling', 'ringing', 'answered');
    taken := taken + (SELECT count(*) FROM dial_orders WHERE line_until > at AND trunk_id = p_trunk);
    IF taken >= p_trunk_calls THEN RETURN 'trunk-full'; END IF;
    SELECT count(*) INTO taken FROM dial_attempts WHERE trunk_id = p_trunk AND dialling_at > at - interval '1 second';
    IF taken >= p_trunk_rate THEN RETURN 'trunk-rate'; END IF;
  END IF;
  SELECT count(*) INTO taken FROM dial_orders WHERE account_id = o.account_id AND state IN ('dialling', 'ringing', 'answered');
  IF taken >= p_account_calls THEN RETURN 'account-full'; END IF;
  SELECT count(*) INTO taken FROM dial_attempts
    WHERE account_id = o.account_id AND dialling_at > at - interval '1 second';
  IF taken >= p_account_rate THEN RETURN 'account-rate'; END IF;
  SELECT count(*) INTO taken FROM dial_attempts WHERE account_id = o.account_id AND dialling_at >= p_day;
  IF taken >= p_day_calls THEN RETURN 'daily-calls'; END IF;
  IF dial_spend(o.account_id, p_day) >= p_day_cents THEN RETURN 'daily-spend'; END IF;
  UPDATE dial_orders SET state = 'dialling', attempt = attempt + 1, gateway = p_gateway, trunk_id = p_trunk,
    sip_call_id = p_sip_call_id, call_id = NULL, dialling_at = at, sent_at = NULL, ringing_at = NULL WHERE id = p_id;
  INSERT INTO dial_attempts (order_id, attempt, account_id, trunk_id, sip_call_id, dialling_at)
  VALUES (p_id, o.attempt + 1, o.account_id, p_trunk, p_sip_call_id, at);
  RETURN 'claimed';
END $$;
