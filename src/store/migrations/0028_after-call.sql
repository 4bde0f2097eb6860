-- What was made of a call that is over, where its agent wants that: an outcome that calls are counted and found by, and a summary and
-- values. `pending`: somebody has still to look at it.
ALTER TABLE calls ADD COLUMN outcome text;
ALTER TABLE calls ADD COLUMN analysis jsonb;
ALTER TABLE calls ADD COLUMN analysis_state text CHECK (analysis_state IN ('pending', 'ready'));

CREATE INDEX calls_outcome ON calls (account_id, outcome, started_at DESC, id DESC) WHERE outcome IS NOT NULL;
CREATE INDEX calls_unanalysed ON calls (ended_at) WHERE analysis_state = 'pending';

CREATE FUNCTION wants_analysis(agent text, of_version integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM agent_versions WHERE agent_id = agent AND version = of_version AND definition ? 'afterCall')
$$;

-- A summary is found like what was said.
DROP FUNCTION call_words(text);
CREATE FUNCTION call_words(id text, summary text) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT to_tsvector('simple', folded_words(left(concat_ws(' ', summary, string_agg(text, ' ' ORDER BY index)), 200000)))
  FROM turns WHERE call_id = id
$$;
