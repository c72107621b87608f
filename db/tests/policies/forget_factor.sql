-- What goes with an account's last second factor, whatever else the account and others have.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, verified_at, created_at, updated_at)
  select tests.id(factor), tests.id(person), factor, 'x', 'key', verified, now(), now()
  from (values ('last', 'admin', now()), ('unverified', 'admin', null), ('of another', 'superadmin', now())) as factor (factor, person, verified);
  insert into auth.mfa_recovery_codes select tests.id(person), 'x', now() from unnest(array['admin', 'superadmin']) as person;
end $$;

delete from auth.mfa_factors where id = tests.id('unverified');
select is(count(*), 2::bigint, 'an unverified factor takes no recovery codes with it') from auth.mfa_recovery_codes;
insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, created_at, updated_at)
values (tests.id('unverified'), tests.id('admin'), 'unverified', 'x', 'key', now(), now());
delete from auth.mfa_factors where id = tests.id('last');
select is(array_agg(user_id), array[tests.id('superadmin')], 'the last verified factor takes them with it, but only its account''s')
from auth.mfa_recovery_codes;

\ir ../finish.sql
