-- Sessions and refresh tokens that ended are removed in slices of 500 sessions, in the order of their ids.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from auth.sessions;
  update auth.settings set sessions_swept_to = '00000000-0000-0000-0000-000000000000';
  insert into auth.sessions (id, user_id)
  select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid, tests.id('agency') from generate_series(1, 500) as number;
  insert into auth.sessions (id, user_id, not_after)
  values ('ffffffff-0000-4000-8000-000000000001', tests.id('agency'), null), ('ffffffff-0000-4000-8000-000000000002', tests.id('agency'), now() - interval '8 days');
  insert into auth.refresh_tokens (session_id, token_hash, created_at, revoked_at)
  values ('ffffffff-0000-4000-8000-000000000001', 'old', now() - interval '40 days', now() - interval '31 days');
end $$;

create function pg_temp.left() returns text language sql as $$
  select (select count(*) from auth.sessions) || ' sessions, ' || (select count(*) from auth.refresh_tokens) || ' tokens'
$$;
select serasi.tick_sessions() \g /dev/null
select is(pg_temp.left(), '502 sessions, 1 tokens', 'nothing has ended in the first slice');
select serasi.tick_sessions() \g /dev/null
select is(pg_temp.left(), '501 sessions, 0 tokens', 'the second slice has a session and a token that ended');

\ir ../finish.sql
