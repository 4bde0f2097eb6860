-- Who took a call out, where that was listened for.
ALTER TABLE calls ADD COLUMN answered_by text CHECK (answered_by IN ('human', 'machine', 'unknown'));
