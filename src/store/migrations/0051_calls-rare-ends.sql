-- expand outside a transaction: calls by a reason of their end that hardly any has, the newest first; of the others some are always near
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_rare_ends ON calls (account_id, end_reason, started_at DESC, id)
  WHERE end_reason NOT IN ('caller-hangup', 'agent-hangup', 'callee-hangup', 'transferred');
