-- A number may be left alone for a time; the note is the reason.
ALTER TABLE do_not_call ADD COLUMN until timestamptz;
CREATE INDEX do_not_call_account ON do_not_call (account_id, id);
