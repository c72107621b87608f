-- Commits the data of crowd.sql, which take longer to create than a file in plans/ takes to run. The files use them with
-- `psql -v crowd=kept`. Only for a database that is dropped afterwards.
\ir setup.sql
\ir crowd.sql
commit;
