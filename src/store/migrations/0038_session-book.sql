-- What a session costs, told at its end: settles its charge, or releases it where it costs nothing. One whose gateway was taken for dead
-- was booked by its last checkpoint: what came after that is charged once, and what it should not have cost is given back.
CREATE FUNCTION session_book(p_session text, p_cents bigint, p_gateway text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE booked record; s sessions; rest bigint := 0;
BEGIN
  IF p_cents > 0 THEN
    SELECT * INTO booked FROM charge_settle(p_session, p_cents);
    IF booked.outcome <> 'closed' THEN RETURN booked.outcome; END IF;
    rest := p_cents - booked.cents - booked.shortfall;
  ELSIF charge_release(p_session) <> 'closed' THEN
    RETURN 'released';
  END IF;
  SELECT * INTO s FROM sessions WHERE id = p_session AND end_reason = 'interrupted';
  IF NOT FOUND THEN RETURN 'closed'; END IF;
  IF p_cents = 0 THEN RETURN charge_void(p_session, s.account_id, p_session, s.kind, p_gateway); END IF;
  IF rest > 0 THEN
    PERFORM charge_now(p_session || '/rest', s.account_id, rest, p_session, s.kind, p_gateway, true);
  END IF;
  RETURN 'closed';
END $$;
