-- What was spent in a time: the ledger is written in order of time, so that an index of blocks is enough, and costs writers nothing.
CREATE INDEX ledger_created ON ledger USING brin (created_at);
