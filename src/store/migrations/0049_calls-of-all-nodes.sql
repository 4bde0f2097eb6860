-- expand: the gateways' own limit of calls of one account, counted over all of them. Older gateways ask without it, and count their own.
-- As before, and `every-line` where the account has `p_lines` calls that go on, of whichever gateway; NULL: no such limit.
CREATE FUNCTION account_refusal(p_account text, p_but text, p_lines integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF p_lines IS NOT NULL THEN
    PERFORM FROM accounts WHERE id = p_account FOR NO KEY UPDATE; -- one call after the other, whoever takes it
    IF account_lines_taken(p_account, p_but, p_lines) THEN RETURN 'every-line'; END IF;
  END IF;
  RETURN account_refusal(p_account, p_but);
END $$;

-- No more of its calls are looked at than are asked for; by calls_account_open.
CREATE FUNCTION account_lines_taken(p_account text, p_but text, p_lines integer) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT count(*) >= p_lines FROM (SELECT FROM calls WHERE account_id = p_account AND ended_at IS NULL AND id <> p_but LIMIT p_lines) AS taken
$$;
