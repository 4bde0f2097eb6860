-- How long an account keeps what, each kind for itself. Until now `transcripts_days` had everything personal of a call erased: who has
-- set it keeps numbers for no longer than before.
ALTER TABLE accounts
  ADD COLUMN calls_days integer CHECK (calls_days > 0),
  ADD COLUMN orders_days integer CHECK (orders_days > 0),
  ADD COLUMN refusals_days integer CHECK (refusals_days > 0);
UPDATE accounts SET calls_days = transcripts_days, orders_days = transcripts_days WHERE transcripts_days IS NOT NULL;

-- What was said and keyed is gone; numbers, times and the recording may be there yet.
ALTER TABLE calls ADD COLUMN transcript_erased_at timestamptz;
CREATE INDEX calls_ended_transcript ON calls (account_id, ended_at) WHERE erased_at IS NULL AND transcript_erased_at IS NULL;
CREATE INDEX dial_orders_ended_kept ON dial_orders (account_id, ended_at) WHERE state = 'ended' AND target <> '';
CREATE INDEX refused_calls_at ON refused_calls (at);
