-- What was said by the person whom a caller was put through to, where that is written down.
ALTER TABLE turns DROP CONSTRAINT turns_role_check;
ALTER TABLE turns ADD CONSTRAINT turns_role_check CHECK (role IN ('caller', 'agent', 'person'));
