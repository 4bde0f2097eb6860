-- Who an installation is, is a lease: one gateway process holds it and renews it. See src/store/nodes.md.
ALTER TABLE gateways
  ADD COLUMN expires_at timestamptz, -- the lease, by the clock of the database; '-infinity': given back; none in rows of versions before leases
  ADD COLUMN beat text, -- said anew with every renewal: a copy of a running process does not know the last one
  ADD COLUMN fenced_at timestamptz, -- from then on it owns nothing: taken for dead, ended, or followed by another start
  ADD COLUMN place text, -- where it runs: an earlier start in the same place is dead for certain
  ADD COLUMN host text;

-- Versions before leases only say when they were seen.
CREATE FUNCTION gateway_lives(g gateways) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT g.fenced_at IS NULL AND coalesce(g.expires_at, g.seen_at + interval '5 minutes') > now()
$$;

UPDATE gateways g SET fenced_at = now() WHERE NOT gateway_lives(g)
  OR EXISTS (SELECT 1 FROM gateways o WHERE o.node = g.node AND (o.seen_at, o.id) > (g.seen_at, g.id));
CREATE UNIQUE INDEX gateways_holder ON gateways (node) WHERE fenced_at IS NULL;

-- Takes the lease of a node for the process p_id: held | taken (by `holder`, which lives). An earlier start in p_place is not waited
-- for; a process that goes on after it was taken for dead names itself as p_former, and keeps what is still open of that.
CREATE FUNCTION gateway_claim(p_id text, p_node text, p_place text, p_host text, p_beat text, p_lease interval, p_former text,
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
    UPDATE dial_orders SET gateway = p_id WHERE gateway = p_former AND state IN ('dialling', 'ringing', 'answered');
    UPDATE idempotency_keys SET gateway = p_id WHERE gateway = p_former AND state = 'running';
  END IF;
  outcome := 'held';
END $$;

-- Who was taken for dead opens nothing: it might have been followed already, and does not know it yet.
CREATE FUNCTION gateway_fence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM gateways WHERE id = NEW.gateway AND fenced_at IS NOT NULL) THEN
    RAISE EXCEPTION 'gateway % has lost its lease', NEW.gateway USING ERRCODE = '57N01';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER calls_fence BEFORE INSERT ON calls FOR EACH ROW EXECUTE FUNCTION gateway_fence();
CREATE TRIGGER sessions_fence BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION gateway_fence();
CREATE TRIGGER charges_fence BEFORE INSERT ON charges FOR EACH ROW WHEN (NEW.state = 'reserved') EXECUTE FUNCTION gateway_fence();
CREATE TRIGGER dial_orders_fence BEFORE UPDATE OF gateway ON dial_orders
  FOR EACH ROW WHEN (NEW.state = 'dialling' AND OLD.state = 'queued') EXECUTE FUNCTION gateway_fence();
