-- Adds the crowd for good, which takes longer than a file of plans/: `psql -v crowd=kept` then uses it. For a database that
-- is dropped afterwards.
\ir setup.sql
\ir crowd.sql
commit;
