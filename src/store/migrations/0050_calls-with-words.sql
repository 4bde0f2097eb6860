-- expand: calls with words that few have, by the index of words, whatever the planner takes words for that it has not seen
-- An account's own index beside it would be read from end to end for nothing, hence no bare account_id.
CREATE FUNCTION calls_with_words(p_account text, p_words text, p_max integer) RETURNS text[] LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off AS $$
  SELECT array(SELECT id FROM calls WHERE words @@ words_query(p_words, '&')
    AND (p_account IS NULL OR account_id || '' = p_account) LIMIT p_max)
$$;
