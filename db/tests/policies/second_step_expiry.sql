-- When a second step ends, and which attempts to add a factor are removed.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  insert into auth.mfa_factors (id, user_id, secret, secret_key_id, verified_at, created_at, updated_at)
  values (tests.id('factor'), tests.id('admin'), 'x', 'key', now(), now(), now());
  insert into auth.sessions (id, user_id, aal, factor_id, not_after)
  select tests.id(name), tests.id('admin'), 'aal2', tests.id('factor'), now() + ends
  from (values ('over', interval '-1 second'), ('running', interval '1 minute'), ('without end', null)) as session (name, ends);
end $$;

create function pg_temp.is_admin(session text) returns boolean language plpgsql as $$
declare
  answer boolean;
begin
  perform tests.become('admin');
  perform set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb
    || jsonb_build_object('aal', 'aal2', 'session_id', tests.id(session)))::text, true);
  answer := app.is_admin();
  perform tests.step_down();
  return answer;
end $$;
select is(pg_temp.is_admin(session), wanted, 'the session is ' || session)
from (values ('over', false), ('running', true), ('without end', true)) as cell (session, wanted);

insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, created_at, updated_at)
select tests.id(name), tests.id('admin'), name, 'x', 'key', now() - age, now()
from (values ('begun yesterday', interval '24 hours'), ('begun today', interval '23 hours 59 minutes')) as attempt (name, age);
select serasi.tick_retention() \g /dev/null
select set_eq('select id from auth.mfa_factors', array[tests.id('factor'), tests.id('begun today')], 'an attempt to add a factor is removed after a day');

\ir ../finish.sql
