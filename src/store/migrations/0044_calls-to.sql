-- expand outside a transaction: as 0043, for the number that was called; a search for either needs both
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_to ON calls (account_id, to_number text_pattern_ops);
