-- Webhooks: programs of an account are told what happens. What there is to tell is written by triggers, in the transaction
-- that it happens in: nothing is lost however a gateway ends, and nothing is told that was rolled back. An event has no
-- words and numbers of people in it: its data are read from their own tables each time it is sent, so that what was erased
-- is gone from it too. Deliveries refer to nothing by a foreign key: a webhook that is being removed must not fail a call.

CREATE TABLE webhooks (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  url text NOT NULL,
  events text[] NOT NULL,
  description text NOT NULL DEFAULT '',
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')), -- null: by hand
  sealed bytea NOT NULL, -- the secret, sealed with the key of the installation
  sealed_before bytea, -- the one before, which signs as well until then
  before_until timestamptz,
  failing_since timestamptz, -- nothing was delivered since
  is_slow boolean NOT NULL DEFAULT false, -- by its last answer: it gets fewer of the places
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhooks_account ON webhooks (account_id);

CREATE TABLE webhook_events (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  type text NOT NULL,
  subject_id text NOT NULL, -- call, order, trunk, account or refusal
  facts jsonb NOT NULL, -- what no other table has; nothing personal
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX webhook_events_subject ON webhook_events (subject_id);
CREATE INDEX webhook_events_created ON webhook_events (created_at);

CREATE TABLE webhook_deliveries (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  event_id text NOT NULL,
  webhook_id text NOT NULL,
  account_id text NOT NULL,
  type text NOT NULL, -- of the event
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  tries integer NOT NULL DEFAULT 0, -- since it was made or sent again by hand
  history jsonb NOT NULL DEFAULT '[]', -- the last tries: when, status, how long, what was answered
  next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease text, -- who has it under way
  leased_until timestamptz, -- and whoever likes after that
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  closed_at timestamptz
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at, seq) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_any_due ON webhook_deliveries (next_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook_id) WHERE lease IS NOT NULL;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, seq);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

-- Trunks that are down, as far as webhooks have been told.
CREATE TABLE trunk_outages (
  trunk_id text PRIMARY KEY REFERENCES trunks (id) ON DELETE CASCADE,
  since timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE accounts ADD COLUMN balance_alert_cents bigint CHECK (balance_alert_cents > 0);

-- Who has changed something may be the gateway itself.
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_actor_kind_check;
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_kind_check
  CHECK (actor_kind IN ('person', 'key', 'link', 'shell', 'gateway'));

-- Tells the webhooks of an account that want it. One with 10,000 deliveries waiting gets no more.
CREATE FUNCTION webhook_tell(p_account text, p_type text, p_subject text, p_facts jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE w record; event text;
BEGIN
  FOR w IN SELECT id FROM webhooks WHERE account_id = p_account AND enabled AND p_type = ANY (events) LOOP
    CONTINUE WHEN EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending' OFFSET 9999);
    IF event IS NULL THEN
      event := 'evt_' || replace(gen_random_uuid()::text, '-', '');
      INSERT INTO webhook_events (id, account_id, type, subject_id, facts)
      VALUES (event, p_account, p_type, p_subject, p_facts);
    END IF;
    INSERT INTO webhook_deliveries (id, event_id, webhook_id, account_id, type)
    VALUES ('dlv_' || replace(gen_random_uuid()::text, '-', ''), event, w.id, p_account, p_type);
  END LOOP;
END $$;

CREATE FUNCTION webhook_call_begun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM webhook_tell(NEW.account_id, 'call.started', NEW.id, '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_call_begun AFTER INSERT ON calls FOR EACH ROW EXECUTE FUNCTION webhook_call_begun();

-- How many of the people that were tried a caller got through to.
CREATE FUNCTION transfers_through(p_transfers jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT count(*)::integer FROM jsonb_array_elements(coalesce(p_transfers, '[]')) AS one
  WHERE one ->> 'outcome' IN ('joined', 'transferred')
$$;

CREATE FUNCTION webhook_call_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.answered_at IS NULL AND NEW.answered_at IS NOT NULL THEN
    PERFORM webhook_tell(NEW.account_id, 'call.answered', NEW.id, '{}');
  END IF;
  FOR number IN transfers_through(OLD.transfers) + 1 .. transfers_through(NEW.transfers) LOOP
    PERFORM webhook_tell(NEW.account_id, 'call.transferred', NEW.id, jsonb_build_object('number', number));
  END LOOP;
  IF OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL THEN
    PERFORM webhook_tell(NEW.account_id, 'call.ended', NEW.id, '{}');
  ELSIF OLD.end_reason = 'interrupted' AND NEW.end_reason <> 'interrupted' THEN -- it was only presumed dead
    PERFORM webhook_tell(NEW.account_id, 'call.ended', NEW.id, '{"corrects": true}');
  END IF;
  IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL THEN -- what receivers have answered may repeat what they got
    UPDATE webhook_deliveries SET history = (SELECT coalesce(jsonb_agg(one - 'answer'), '[]') FROM jsonb_array_elements(history) AS one)
    WHERE event_id IN (SELECT id FROM webhook_events WHERE subject_id = NEW.id
      OR subject_id IN (SELECT id FROM dial_orders WHERE call_id = NEW.id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_call_changed AFTER UPDATE OF answered_at, ended_at, end_reason, transfers, erased_at ON calls
  FOR EACH ROW EXECUTE FUNCTION webhook_call_changed();

CREATE FUNCTION webhook_call_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM webhook_tell(NEW.account_id, 'call.refused', 'refused/' || NEW.seq, jsonb_build_object('seq', NEW.seq));
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_call_refused AFTER INSERT ON refused_calls
  FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION webhook_call_refused();

CREATE FUNCTION webhook_order_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM webhook_tell(NEW.account_id, 'order.ended', NEW.id, '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_order_ended AFTER UPDATE OF state ON dial_orders
  FOR EACH ROW WHEN (NEW.state = 'ended' AND OLD.state <> 'ended') EXECUTE FUNCTION webhook_order_ended();

-- Once for each time that the balance comes below the threshold, or the threshold above the balance.
CREATE FUNCTION webhook_balance_low() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM webhook_tell(NEW.id, 'balance.low', NEW.id,
    jsonb_build_object('balance_cents', NEW.balance_cents, 'balance_alert_cents', NEW.balance_alert_cents));
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_balance_low AFTER UPDATE OF balance_cents, balance_alert_cents ON accounts
  FOR EACH ROW WHEN (NEW.balance_cents < NEW.balance_alert_cents
    AND (OLD.balance_cents < OLD.balance_alert_cents) IS NOT TRUE) EXECUTE FUNCTION webhook_balance_low();

-- A trunk is down when none of its hosts answers or it could not be registered at; up when one answers and it is
-- registered where it has to be; null while nobody knows.
CREATE FUNCTION trunk_is_up(p_status jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN bool_and(host ->> 'state' = 'down') OR p_status #>> '{registration,state}' = 'waiting' THEN false
    WHEN bool_or(host ->> 'state' = 'up')
      AND coalesce(p_status #>> '{registration,state}', 'registered') IN ('registered', 'refreshing') THEN true
  END FROM jsonb_array_elements(p_status -> 'hosts') AS host
$$;

-- Down when every gateway that was heard of lately says so, up when one does.
CREATE FUNCTION webhook_trunk_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_up boolean; is_down boolean; trunk record; told text; started timestamptz; account text;
BEGIN
  SELECT bool_or(trunk_is_up(status)), bool_and(trunk_is_up(status) IS FALSE) INTO is_up, is_down FROM trunk_states
  WHERE trunk_id = NEW.trunk_id AND updated_at > now() - interval '90 seconds';
  IF is_down THEN
    INSERT INTO trunk_outages (trunk_id) VALUES (NEW.trunk_id) ON CONFLICT DO NOTHING RETURNING since INTO started;
    told := 'trunk.down';
  ELSIF is_up THEN
    DELETE FROM trunk_outages WHERE trunk_id = NEW.trunk_id RETURNING since INTO started;
    told := 'trunk.up';
  END IF;
  IF started IS NULL THEN RETURN NULL; END IF;
  SELECT account_id, definition ->> 'name' AS name INTO trunk FROM trunks WHERE id = NEW.trunk_id;
  FOR account IN SELECT DISTINCT account_id FROM webhooks
    WHERE enabled AND told = ANY (events) AND account_id = coalesce(trunk.account_id, account_id) LOOP -- an operator's is everybody's
    PERFORM webhook_tell(account, told, NEW.trunk_id, jsonb_build_object('name', trunk.name, 'down_since', started));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_trunk_told AFTER INSERT OR UPDATE ON trunk_states
  FOR EACH ROW EXECUTE FUNCTION webhook_trunk_told();
