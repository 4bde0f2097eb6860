-- expand outside a transaction: calls of more than five minutes, by how long; of shorter ones some are always near
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_long ON calls (account_id, talk_ms) WHERE talk_ms >= 300000;
