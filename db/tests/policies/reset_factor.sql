-- Removing an account's second factors leaves those of others alone, and is told to owners who still have an account.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from serasi.mail_outbox;
  insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, verified_at, created_at, updated_at)
  select tests.id(factor), tests.id(person), factor, 'x', 'key', verified, now(), now()
  from (values ('of admin', 'admin', now()), ('begun by admin', 'admin', null), ('of agency', 'agency', now()), ('begun by vendor', 'vendor', null),
    ('of verified', 'verified', now())) as factor (factor, person, verified);
  insert into auth.sessions (id, user_id) select tests.id('session of ' || person), tests.id(person) from unnest('{agency,vendor,approved}'::text[]) as person;
  insert into auth.mfa_failures (user_id, failures, created_at) select tests.id(person), 3, now() from unnest('{admin,agency}'::text[]) as person;
end $$;
create function pg_temp.factors() returns text language sql as $$ select string_agg(friendly_name, ', ' order by friendly_name) from auth.mfa_factors $$;
create function pg_temp.told() returns text language sql as $$
  select (select count(*) from serasi.mail_outbox where template = 'factor_reset') || ' e-mails, ' || (select count(*) from app.audit_log where action = 'reset_factor') || ' entries, ' || (select count(*) from auth.sessions) || ' sessions'
$$;

select is(serasi.remove_factors(tests.id(person)), 0, 'nothing to remove: ' || person) from unnest('{approved,vendor}'::text[]) as person;
select is(pg_temp.told(), '0 e-mails, 0 entries, 3 sessions', 'nothing else changes');

create function pg_temp.reset(person text) returns text language plpgsql as $$
begin
  perform tests.become('superadmin');
  perform public.reset_factor(tests.id(person));
  perform tests.step_down();
  return 'done';
exception when others then
  perform tests.step_down();
  return sqlstate;
end $$;
select is(pg_temp.reset('agency'), 'PT404', 'superadmins reset factors of staff only');
select is(pg_temp.factors(), 'begun by admin, begun by vendor, of admin, of agency, of verified', 'no factor is removed');
select is(pg_temp.reset('admin'), 'done', 'a superadmin resets an admin''s factor');
select is(pg_temp.factors(), 'begun by vendor, of agency, of verified', 'the admin''s unverified factor is removed, too, and those of others are not');
select is(array_agg(user_id), array[tests.id('agency')], 'failed attempts of others still count') from auth.mfa_failures;
select is(pg_temp.told(), '1 e-mails, 1 entries, 3 sessions', 'the admin gets an e-mail, and others keep their sessions');

update auth.users set deleted_at = now() where id = tests.id('agency');
select is(serasi.remove_factors(tests.id('agency')), 1, 'the factor of a deleted account is removed');
select is(pg_temp.told(), '1 e-mails, 2 entries, 2 sessions', 'no e-mail is sent to a deleted account');

\ir ../finish.sql
