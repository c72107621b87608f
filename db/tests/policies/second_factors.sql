-- Second factors of staff: if an account has one, or the auth service requires one, its staff role only applies in sessions
-- with aal2. Also: superadmins reset other accounts' factors, and ended sessions are deleted.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

create function pg_temp.factor(person text) returns void language sql as $$
  insert into auth.mfa_factors (id, user_id, secret, secret_key_id, verified_at, created_at, updated_at)
  values (tests.id('factor of ' || person), tests.id(person), 'x', 'key', now(), now(), now());
$$;
create function pg_temp.session(name text, person text, aal text) returns void language sql as $$
  insert into auth.sessions (id, user_id, aal, factor_id)
  values (tests.id(name), tests.id(person), aal, case aal when 'aal2' then tests.id('factor of ' || person) end);
$$;

-- Acts as this person with a token for a session. The token's claim about the level can differ from the session's.
create function pg_temp.become(person text, session text, said text default 'aal2') returns void language plpgsql as $$
begin
  perform tests.become(person);
  perform set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb
    || jsonb_build_object('aal', said, 'session_id', tests.id(session)))::text, true);
end $$;

-- The value that this person gets from a query, or the SQLSTATE.
create function pg_temp.gets(person text, session text, question text) returns text language plpgsql as $$
declare
  answer text;
begin
  perform pg_temp.become(person, session);
  execute question into answer;
  perform tests.step_down();
  return answer;
exception when others then
  perform tests.step_down();
  return sqlstate;
end $$;

-- Everything that this person can read through the API, except the account's own role.
create function pg_temp.sight(person text, session text) returns text language plpgsql as $$
declare
  shown text;
begin
  return string_agg(relname || ' ' || coalesce(pg_temp.gets(person, session, format(
      'select md5(string_agg(line::text, '','' order by line::text)) from public.%I as line%s', relname,
      case relname when 'user_roles' then format(' where user_id <> %L', tests.id(person)) else '' end)), 'nothing'), E'\n' order by relname)
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v';
end $$;

create temporary table seen (what text, sight text);

select pg_temp.session('plain', 'admin', 'aal1') \g /dev/null
insert into seen select 'without a factor', pg_temp.sight('admin', 'plain');
select pg_temp.factor('admin') \g /dev/null
select pg_temp.session('passed', 'admin', 'aal2') \g /dev/null
insert into seen select 'after one step', pg_temp.sight('admin', 'plain');
insert into seen select 'after two steps', pg_temp.sight('admin', 'passed');
insert into seen select 'in another''s session', pg_temp.sight('admin', 'of a superadmin');
delete from app.user_roles where user_id = tests.id('admin');
insert into seen select 'without the role', pg_temp.sight('admin', 'plain');
insert into app.user_roles values (tests.id('admin'), 'admin');

select isnt((select sight from seen where what = 'without a factor'), (select sight from seen where what = 'without the role'), 'the role shows something');
select is((select sight from seen where what = 'after two steps'), (select sight from seen where what = 'without a factor'), 'after two steps an admin sees all');
select is((select sight from seen where what = 'after one step'), (select sight from seen where what = 'without the role'), 'after one step an admin sees what it would see without the role');
select is((select sight from seen where what = 'in another''s session'), (select sight from seen where what = 'without the role'), 'a session that does not exist is none');

-- Writes and functions.
select is(pg_temp.gets('admin', session, act), wanted, format('%s in the session %s', name, session))
from (values
  ('an approval', 'with done as (update influencers set approved = true where user_id = tests.id(''unapproved'') returning 1) select count(*) from done', '0', '1'),
  ('a report', 'select decide_report(tests.id(''report''), ''taken'')', '42501', 'taken'),
  ('the access', 'select staff_access()', 'verify', 'granted')) as act (name, act, refused, allowed)
cross join lateral (values ('plain', refused), ('passed', allowed)) as turn (session, wanted);

-- The session is looked up, and the token's claim about the level is ignored.
select pg_temp.session('of the superadmin', 'superadmin', 'aal2') \g /dev/null
select is(pg_temp.gets('admin', session, 'select app.is_admin()'), wanted, 'admin ' || why)
from (values ('plain', 'false', 'of a session with aal1'), ('passed', 'true', 'of a session with aal2'),
  ('of the superadmin', 'false', 'with another''s session')) as cell (session, wanted, why);
update auth.sessions set not_after = now() where id = tests.id('passed');
select is(pg_temp.gets('admin', 'passed', 'select app.is_admin()'), 'false', 'a session that is over does not count');
update auth.sessions set not_after = null where id = tests.id('passed');
select is(tests.reads('admin', 'select app.is_admin()'), 'false', 'nor does a token without a session');
create function pg_temp.with_claim(claim text) returns boolean language plpgsql as $$
declare
  answer boolean;
begin
  perform tests.become('admin');
  perform set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb || jsonb_build_object('session_id', claim))::text, true);
  answer := app.is_admin();
  perform tests.step_down();
  return answer;
end $$;
select is(pg_temp.with_claim(claim), false, format('nor does %L', claim)) from (values (''), ('x'), ('{}'), (upper(tests.id('passed')::text) || '0')) as bad (claim);

-- Unverified factors have no effect.
select is(pg_temp.gets('other superadmin', 'none', 'select app.is_superadmin()'), 'true', 'without a factor');
insert into auth.mfa_factors (id, user_id, secret, secret_key_id, created_at, updated_at)
values (tests.id('unverified'), tests.id('other superadmin'), 'x', 'key', now(), now());
select is(pg_temp.gets('other superadmin', 'none', 'select app.is_superadmin()'), 'true', 'with an unverified one');
select is(pg_temp.gets('other superadmin', 'none', 'select staff_access()'), 'granted', 'and access is granted');

-- A second factor is required for all staff.
insert into auth.settings (admin_mfa_required) values (true);
select is(pg_temp.gets('other superadmin', 'none', 'select app.is_superadmin()'), 'false', 'required: a superadmin without a factor has no access');
select is(pg_temp.gets('other superadmin', 'none', 'select staff_access()'), 'enroll', 'required: and must add one');
select is(pg_temp.gets('admin', 'passed', 'select app.is_admin()'), 'true', 'required: two steps suffice');
select is(pg_temp.gets('agency', 'none', 'select staff_access()'), null, 'required: others are not asked');
select is(tests.reads('service', 'select count(*) from user_roles'), (select count(*)::text from app.user_roles), 'required: the service key reads all');
update auth.settings set admin_mfa_required = false;

-- Superadmins reset other accounts' factors.
select pg_temp.factor('other superadmin') \g /dev/null
insert into auth.mfa_recovery_codes values (tests.id('admin'), 'x', now());
select is(pg_temp.gets(person, 'none', format('select reset_factor(%L)', tests.id(target))), wanted, format('%s resets %s', person, target))
from (values ('agency', 'admin', '42501'), ('admin', 'superadmin', '42501'), ('superadmin', 'superadmin', 'PT409'), ('superadmin', 'agency', 'PT404'),
  ('other superadmin', 'admin', '42501')) as cell (person, target, wanted);
select is(pg_temp.gets('service', 'none', format('select reset_factor(%L)', tests.id('admin'))), '42501', 'the service key does not');
select is(pg_temp.gets('visitor', 'none', 'select staff_with_factor()'), '42501', 'visitors do not see who has one');
select is(pg_temp.gets('admin', 'passed', 'select staff_with_factor()'), '42501', 'admins do not see who has one');
select is(pg_temp.gets('superadmin', 'none', 'select cardinality(staff_with_factor())'), '2', 'superadmins do');
select is(pg_temp.gets('superadmin', 'none', format('select reset_factor(%L)', tests.id('admin'))), null, 'a superadmin resets an admin''s');
select is((select count(*) from auth.mfa_factors where user_id = tests.id('admin')), 0::bigint, 'it is gone');
select is((select count(*) from auth.mfa_recovery_codes), 0::bigint, 'with the recovery codes');
select is((select count(*) from auth.sessions where user_id = tests.id('admin')), 0::bigint, 'and all sessions');
select is((select actor || ' ' || subject from app.audit_log where action = 'reset_factor'), 'superadmin@example.test admin@example.test', 'the log has it');
select is((select recipient from serasi.mail_outbox where template = 'factor_reset'), 'admin@example.test', 'the owner is told');
select is(pg_temp.gets('superadmin', 'none', format('select reset_factor(%L)', tests.id('admin'))), 'PT404', 'a second time there is none');

-- Removing a factor only resets the sessions that used it to aal1.
insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, verified_at, created_at, updated_at)
values (tests.id('factor of superadmin'), tests.id('superadmin'), 'One', 'x', 'key', now(), now(), now()),
  (tests.id('second'), tests.id('superadmin'), 'Two', 'x', 'key', now(), now(), now());
insert into auth.sessions (id, user_id, aal, factor_id) values (tests.id('by the second'), tests.id('superadmin'), 'aal2', tests.id('second'));
insert into auth.mfa_recovery_codes values (tests.id('superadmin'), 'x', now());
delete from auth.mfa_factors where id = tests.id('factor of superadmin');
select is((select aal from auth.sessions where id = tests.id('of the superadmin')), 'aal1', 'the factor''s session has one step');
select is((select aal from auth.sessions where id = tests.id('by the second')), 'aal2', 'the other''s has two');
select is((select count(*) from auth.mfa_recovery_codes), 1::bigint, 'recovery codes stay while there is a factor');

-- Only the auth service can access the tables.
select is(has_table_privilege(role, 'auth.' || name, privilege), false, format('%s: no %s on %s', role, privilege, name))
from unnest('{anon,authenticated,service_role,storage_admin,authenticator}'::text[]) as role,
  unnest('{mfa_factors,mfa_challenges,mfa_recovery_codes,mfa_failures,settings}'::text[]) as name,
  unnest('{select,insert,update,delete}'::text[]) as privilege;

-- Ended sessions are deleted, 500 at a time.
delete from auth.sessions;
update auth.settings set session_time_box = '30 days', session_inactivity_timeout = '10 days';
insert into auth.sessions (id, user_id, created_at, refreshed_at, not_after, ended_at)
select tests.id(name), tests.id('agency'), now() - created * '1 day'::interval, now() - refreshed * '1 day'::interval,
  now() - not_after * '1 day'::interval, now() - ended * '1 day'::interval
from (values ('fresh', 1, null, null, null), ('ended lately', 8, 8, 6, 6), ('over', 8, 8, 7, null), ('stolen', 8, 8, null, 7),
  ('old', 37, 1, null, null), ('nearly old', 36, 1, null, null), ('idle', 17, null, null, null), ('nearly idle', 20, 16, null, null)) as kept (name, created, refreshed, not_after, ended);
insert into auth.refresh_tokens (session_id, token_hash, created_at, revoked_at)
select tests.id('nearly old'), name::bytea, now() - interval '36 days', now() - revoked * '1 day'::interval
from (values ('used long ago', 30), ('used lately', 29), ('active', null)) as token (name, revoked);
select serasi.tick_sessions() \g /dev/null
select is(array(select name from unnest('{fresh,ended lately,over,stolen,old,nearly old,idle,nearly idle}'::text[]) as name
  where exists (select from auth.sessions where id = tests.id(name)) order by name),
  array['ended lately', 'fresh', 'nearly idle', 'nearly old'], 'what is left a week later');
select is((select string_agg(convert_from(token_hash, 'utf8'), ', ' order by id) from auth.refresh_tokens), 'used lately, active', 'refresh tokens stay for 30 days');

update auth.settings set session_time_box = null, session_inactivity_timeout = null;
insert into auth.sessions (user_id, not_after) select tests.id('agency'), now() - interval '8 days' from generate_series(1, 1100);
select is((select count(*) from auth.sessions), 1104::bigint, 'a thousand that are over');
create function pg_temp.removed() returns bigint language plpgsql as $$
declare
  before constant bigint := (select count(*) from auth.sessions);
begin
  perform serasi.tick_sessions();
  return before - (select count(*) from auth.sessions);
end $$;
select ok(gone between 496 and 500, 'the first slice') from pg_temp.removed() as gone;
select ok(gone between 496 and 500, 'the second slice') from pg_temp.removed() as gone;
select ok(gone between 100 and 108, 'the rest') from pg_temp.removed() as gone;
select is((select count(*) from auth.sessions), 4::bigint, 'those that go on are kept');
select is((select sessions_swept_to from auth.settings), '00000000-0000-0000-0000-000000000000', 'and it begins again');

-- Leftovers of abandoned attempts.
insert into auth.mfa_challenges (id, factor_id, created_at) values (gen_random_uuid(), tests.id('second'), now() - interval '1 hour'), (gen_random_uuid(), tests.id('second'), now());
insert into auth.mfa_failures (user_id, failures, created_at) values (tests.id('agency'), 5, now() - interval '1 hour'), (tests.id('vendor'), 1, now());
update auth.mfa_factors set created_at = now() - interval '2 days';
select serasi.tick_retention() \g /dev/null
select is((select array[(select count(*) from auth.mfa_challenges), (select count(*) from auth.mfa_failures), (select count(*) from auth.mfa_factors)]),
  array[1, 1, 2]::bigint[], 'old challenges, counts and unverified factors are removed');

\ir ../finish.sql
