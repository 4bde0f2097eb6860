-- Milliseconds of the recording before the answer: that of a call out begins with what is heard then. Null of calls of before.
ALTER TABLE calls ADD COLUMN recording_answer_ms integer;
