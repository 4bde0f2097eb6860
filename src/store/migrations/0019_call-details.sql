-- What is known of a turn beside its words: how it was taken, what it led to, where it was cut short.
ALTER TABLE turns ADD COLUMN details jsonb;

-- Keys with their times, and figures of a call that is over, so that an overview needs no turns: of how many turns of the caller it was
-- judged whether they were understood, how many were, and how long each answer took.
ALTER TABLE calls ADD COLUMN keys jsonb;
ALTER TABLE calls ADD COLUMN judged_turns integer;
ALTER TABLE calls ADD COLUMN understood_turns integer;
ALTER TABLE calls ADD COLUMN answer_ms integer[];
UPDATE calls SET answer_ms = ARRAY(SELECT latency_ms FROM turns WHERE call_id = calls.id AND latency_ms IS NOT NULL ORDER BY index LIMIT 1000)
  WHERE ended_at IS NOT NULL;

CREATE INDEX calls_figures ON calls (account_id, started_at) INCLUDE (answered_at, judged_turns, understood_turns);
-- As `CALL_FAULTS` names them.
CREATE INDEX calls_faults ON calls (account_id, started_at) WHERE end_reason IN
  ('internal', 'engine-failed', 'media-failed', 'media-timeout', 'signalling-lost', 'ack-timeout', 'interrupted', 'credit-exhausted');

-- What one account has spent in a time, without a look at others.
DROP INDEX ledger_created;
CREATE INDEX ledger_spent ON ledger (account_id, created_at) INCLUDE (cents);
