-- expand: an account may limit the requests of all its tokens together
ALTER TABLE accounts ADD COLUMN requests_a_minute_max integer CHECK (requests_a_minute_max > 0); -- NULL: no limit of its own
