-- The functions' login delivers the mails that are not an account's, and runs the schedule. It can do nothing else.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;
delete from serasi.mail_outbox;
insert into serasi.mail_outbox (template, recipient, data) values
  ('recovery', 'a@example.test', '{"code": "123456"}'), ('factor_added', 'a@example.test', '{}'), ('gig_closed', 'b@example.test', '{}');

select is(tests.reads('functions', 'select string_agg(template, '' '') from serasi.mail_outbox'), 'gig_closed', 'FN-1 codes and links of accounts are hidden');
select is(tests.outcome('functions', act), wanted, 'FN-2 ' || act)
from (values
  ('select from serasi.mail_outbox where urgency = 1 for update skip locked', '1'),
  ('update serasi.mail_outbox set attempts = attempts + 1, next_attempt_at = now() + interval ''2 min''', '1'),
  ('update serasi.mail_outbox set sent_at = now(), data = ''{}''', '1'),
  ('update serasi.mail_outbox set given_up_at = now(), data = ''{}'', last_error = ''550''', '1'),
  ('delete from serasi.mail_outbox', '1'),
  ('update serasi.mail_outbox set recipient = ''thief@example.test''', '42501'),
  ('update serasi.mail_outbox set template = ''recovery''', '42501'),
  ('insert into serasi.mail_outbox (template, recipient, data) values (''gig_closed'', ''a@example.test'', ''{}'')', '42501'),
  ('select app.tick_parts(), app.run_tick_part(''tick_enquiries'')', '1'),
  ('select serasi.run_tick_part(''tick_sessions'')', '42501'),
  ('select serasi.tick_sessions()', '42501'),
  ('select app.take_allowance(''sign-up'', 1, now())', '42501'),
  ('select app.address_key(''a@example.test'')', '42501'),
  ('create table app.mine ()', '42501'),
  ('create table public.mine ()', '42501')) as acts (act, wanted);

-- Whatever tables there are.
select is(tests.outcome('functions', format('select from %s', relation)), '42501', 'FN-3 ' || relation || ' is closed')
from (select format('%I.%I', nspname, relname) as relation from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p', 'v') and nspname in ('app', 'serasi', 'auth', 'storage', 'public')) as relations
where relation <> 'serasi.mail_outbox';

-- 20 mails to a mailbox in an hour, however it is spelled, and three to all.
create function pg_temp.admitted(recipient text, per_hour integer, at timestamptz) returns text language sql as $$
  select tests.reads('functions', format('select coalesce(''mailbox '' || round(mailbox), ''total '' || round(total), ''yes'') from app.admit_mail(%L, %s, %L)', recipient, per_hour, at))
$$;
select is((select count(*) from generate_series(1, 20) where pg_temp.admitted('ana@example.test', 1000, '2026-11-28') = 'yes'), 20::bigint, 'FN-4 twenty');
select is(pg_temp.admitted('Ana+1@example.test', 1000, '2026-11-28'), 'mailbox 180', 'FN-4 the next one waits for three minutes');
select is(pg_temp.admitted('Ana+1@example.test', 1000, timestamptz '2026-11-28' + interval '3 min'), 'yes', 'FN-4 which suffice');
select is(pg_temp.admitted('mei@example.test', 3, '2026-11-29') || ' ' || pg_temp.admitted('bo@example.test', 3, '2026-11-29') || ' ' || pg_temp.admitted('ana@example.test', 3, '2026-11-29'), 'yes yes yes', 'FN-5 three in all');
select is(pg_temp.admitted('dan@example.test', 3, '2026-11-29'), 'total 1200', 'FN-5 the next one waits');

\ir ../finish.sql
