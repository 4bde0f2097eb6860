-- expand outside a transaction: calls of a caller are found without reading all calls of the account, also by the beginning of the number
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_from ON calls (account_id, from_number text_pattern_ops);
