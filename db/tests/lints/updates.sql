-- The updates of a sign-in and of a refresh find space in the row's own page (fillfactor), so that they change no index, and
-- autovacuum does not wait until a fifth of a table of a million rows is dead.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  insert into auth.users (id, email) select md5('user ' || n)::uuid, n || '@example.test' from generate_series(1, 2000) as n;
  insert into auth.sessions (id, user_id) select md5(n::text)::uuid, tests.id('agency') from generate_series(1, 2000) as n;
  insert into auth.refresh_tokens (session_id, token_hash)
  select md5(n::text)::uuid, sha256(n::text::bytea) from generate_series(1, 2000) as n;
end $$;

create function pg_temp.in_place(relation regclass, statement text) returns text language plpgsql as $$
declare
  updated constant bigint := pg_stat_get_xact_tuples_updated(relation);
  hot constant bigint := pg_stat_get_xact_tuples_hot_updated(relation);
begin
  execute statement;
  return (pg_stat_get_xact_tuples_hot_updated(relation) - hot) || ' of ' || (pg_stat_get_xact_tuples_updated(relation) - updated);
end $$;
select is(pg_temp.in_place(relation::regclass, statement), '100 of 100', relation) from (values
  ('auth.users', 'update auth.users set last_sign_in_at = now() where id in (select md5(''user '' || n)::uuid from generate_series(20, 2000, 20) as n)'),
  ('auth.sessions', 'update auth.sessions set refreshed_at = now(), updated_at = now() where id in (select md5(n::text)::uuid from generate_series(20, 2000, 20) as n)'),
  ('auth.refresh_tokens', 'update auth.refresh_tokens set revoked_at = now() where session_id in (select md5(n::text)::uuid from generate_series(20, 2000, 20) as n)')
) as change (relation, statement);

select is_empty($$
  select hot from unnest('{auth.sessions, auth.refresh_tokens, auth.sign_in_failures, auth.mail_allowances, serasi.mail_outbox, app.notices,
    app.newsletter_allowances}'::regclass[]) as hot
  join pg_class on pg_class.oid = hot
  where not exists (select from pg_options_to_table(reloptions) where option_name = 'autovacuum_vacuum_scale_factor' and option_value::float <= 0.05)
$$, 'tables whose rows come and go are vacuumed early');

\ir ../finish.sql
