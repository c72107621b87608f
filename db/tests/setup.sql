-- Every test file begins with `\ir ../setup.sql`. It needs no preparation and also works on a database in
-- use: everything happens in one transaction, which ../finish.sql rolls back. Run as a superuser.
\set QUIET on
\set ON_ERROR_STOP on
\set ON_ERROR_ROLLBACK off
\pset format unaligned
\pset tuples_only on
\pset pager off
begin;
set local client_min_messages = warning;

-- pgTAP is plain SQL, so the server needs no extension. `psql -v pgtap=FILE` names a file other than
-- Debian's.
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
\endif

-- The database's default privileges grant nothing, not even on pgTAP's functions.
grant usage on schema tap to public;
grant execute on all functions in schema tap to public;
\ir 000_helpers.sql
\ir matrix.sql

-- Only the tests' own people and rows count, or those that keep_crowd.sql has kept. The rollback restores the existing rows.
\if :{?crowd}
\else
set local session_replication_role = replica;
do $$
declare
  filled regclass;
begin
  foreach filled in array tests.tables() loop
    execute format('delete from %s %s', filled, case when filled = 'storage.buckets'::regclass then 'where id <> ''images''' end);
  end loop;
end $$;
set local session_replication_role = origin;
\endif

set local search_path = tap, public;
select no_plan();
