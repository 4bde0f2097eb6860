-- expand outside a transaction: calls of one agent, the newest first, also of one that has few among millions
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_agent ON calls (account_id, agent_id, started_at DESC, id);
