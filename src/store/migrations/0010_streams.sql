-- Calls that come over a WebSocket: the talk socket of the API, or a carrier's media stream.
ALTER TABLE calls DROP CONSTRAINT calls_source_kind_check;
ALTER TABLE calls ADD CONSTRAINT calls_source_kind_check
  CHECK (source_kind IN ('trunk', 'phone', 'loopback', 'anonymous', 'stream'));
