-- A visitor's statement is canceled after 3 s. A lock that takes this long is reported as a lock instead, so that the
-- gateway answers 503 with Retry-After and not 500.
alter role anon set lock_timeout = '2s';
