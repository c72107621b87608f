-- Every test file begins with `\ir ../setup.sql`. Run as a superuser, on any migrated database, even one in use: everything
-- happens in one transaction, which finish.sql rolls back.
\set QUIET on
\set ON_ERROR_STOP on
\set ON_ERROR_ROLLBACK off
\pset format unaligned
\pset tuples_only on
\pset pager off
begin;
set local client_min_messages = warning;

-- pgTAP is plain SQL, so the server doesn't need the extension. `psql -v pgtap=FILE` loads a file other than Debian's.
select to_regprocedure('tap.no_plan()') is null as wanted \gset pgtap_
\if :pgtap_wanted
  \if :{?pgtap}
  \else
    \set pgtap `ls /usr/share/postgresql/*/extension/pgtap--?.?.?.sql 2>/dev/null | tail -n 1`
  \endif
  \set pgtap_there `test -r :'pgtap' && echo true || echo false`
  \if :pgtap_there
  \else
    \set VERBOSITY terse
    do $$ begin raise 'pgTAP is missing: install it (Debian: postgresql-15-pgtap) or name its SQL file: psql -v pgtap=FILE'; end $$;
  \endif
  create schema tap;
  set local search_path = tap, public;
  \i :pgtap
  -- The default privileges of this database grant nothing to PUBLIC, so the tests' functions need explicit grants.
  grant usage on schema tap to public;
  grant execute on all functions in schema tap to public;
\endif

\ir 000_helpers.sql
\ir matrix.sql

-- Deletes all existing rows until the rollback, so that tests only see their own. With `crowd`, the database only contains
-- the rows of keep_crowd.sql, which the tests use. The key of hashes and the lists of constants stay.
\if :{?crowd}
\else
set local session_replication_role = replica;
do $$
declare
  filled regclass;
begin
  foreach filled in array tests.tables() loop
    continue when filled = any ('{app.hash_key, serasi.retention, serasi.mail_templates, app.audit_actions}'::regclass[]);
    execute format('delete from %s %s', filled, case when filled = 'storage.buckets'::regclass then 'where id <> ''images''' end);
  end loop;
end $$;
set local session_replication_role = origin;
\endif

set local search_path = tap, public;
select no_plan();
