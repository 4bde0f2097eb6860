-- Who was tried when a caller asked for a person, and what came of it (call/transfer-outcome.ts); null of a call without.
ALTER TABLE calls ADD COLUMN transfers jsonb;
-- An agent's turn that was said to the person, and that the caller did not hear; null of every other.
ALTER TABLE turns ADD COLUMN heard_by text CHECK (heard_by IN ('person'));
