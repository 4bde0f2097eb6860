-- The SIP messages of a call, without secrets. They go with the call's record; those of calls without one (refused, or a second leg)
-- are bounded in number: see `LadderRows`.
CREATE TABLE sip_ladders (
  seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  call_id text REFERENCES calls (id) ON DELETE CASCADE,
  sip_call_id text NOT NULL,
  started_at timestamptz NOT NULL,
  inbound boolean NOT NULL,
  answered boolean NOT NULL,
  steps jsonb NOT NULL,
  gateway text NOT NULL
);
CREATE INDEX sip_ladders_call ON sip_ladders (call_id);
CREATE INDEX sip_ladders_sip_call_id ON sip_ladders (sip_call_id);
CREATE INDEX sip_ladders_without_call ON sip_ladders (seq) WHERE call_id IS NULL;
