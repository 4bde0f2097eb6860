-- Loss, jitter and MOS of a call in stretches of some seconds; null of calls without RTP, and of those of before.
ALTER TABLE calls ADD COLUMN quality_over_time jsonb;
