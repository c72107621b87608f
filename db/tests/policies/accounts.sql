-- An account, its row in app.profiles and its role are created together or not at all. Only the auth service can access the
-- tables in the schema auth.
\ir ../setup.sql

create function pg_temp.roles_after(user_metadata jsonb, app_metadata jsonb default '{}') returns text language plpgsql as $$
declare
  account uuid;
  answer text;
begin
  insert into auth.users (email, raw_user_meta_data, raw_app_meta_data) values (gen_random_uuid() || '@example.test', user_metadata, app_metadata) returning id into account;
  select coalesce(string_agg(role, ','), 'none') into answer from app.user_roles where user_id = account;
  return answer || case when exists (select from app.profiles where id = account) then '' else ' without profile' end;
exception when others then
  return sqlstate;
end $$;

grant execute on function pg_temp.roles_after(jsonb, jsonb) to auth_admin;
-- Security definer, because the auth service can't read roles.
alter function pg_temp.roles_after(jsonb, jsonb) security definer;
set local role auth_admin;
select is(pg_temp.roles_after(format('{"user_type": "%s"}', role)::jsonb), role, 'sign-up as ' || role) from unnest(array['influencer', 'agency', 'vendor']) as role;
select is(pg_temp.roles_after('{}'), 'none', 'no user_type: an account without a role');
select is(pg_temp.roles_after('{"user_type": null}'), 'none', 'a null user_type: an account without a role');
select is(pg_temp.roles_after(wrong::jsonb), 'SR001', 'AU-21: ' || wrong)
from unnest(array['{"user_type": "admin"}', '{"user_type": "superadmin"}', '{"user_type": ""}', '{"user_type": ["agency"]}', '{"user_type": 7}', '{"user_type": {"a": 1}}', '{"user_type": "Agency"}']) as wrong;
select is(pg_temp.roles_after('{"user_type": "influencer", "role": "admin", "marketplace_role": "superadmin"}'), 'influencer', 'AU-20: other keys have no effect');
select is(pg_temp.roles_after('{}', '{"marketplace_role": "admin"}'), 'admin', 'the admin API creates admins');
select is(pg_temp.roles_after('{"user_type": "agency"}', '{"marketplace_role": "superadmin"}'), 'superadmin', 'and superadmins');
select is(pg_temp.roles_after('{"user_type": "agency"}', '{"marketplace_role": "root"}'), 'agency', 'it accepts no other role');
reset role;
select is(count(*), 0::bigint, 'a rejected sign-up creates no account') from auth.users where raw_user_meta_data ->> 'user_type' = 'admin';

-- AU-22: changing an account's metadata later doesn't change its role.
insert into auth.users (id, email, raw_user_meta_data) values ('00000000-0000-4000-8000-000000000001', 'a@example.test', '{"user_type": "influencer"}');
select is((select is_anonymous from auth.users where email = 'a@example.test'), false, 'no account is anonymous');
update auth.users set raw_user_meta_data = '{"user_type": "agency"}', raw_app_meta_data = '{"marketplace_role": "superadmin"}' where email = 'a@example.test';
select results_eq('select role from app.user_roles where user_id = ''00000000-0000-4000-8000-000000000001''', 'values (''influencer'')', 'roles are unchanged');

-- The auth service can read and write its own tables.
set local role auth_admin;
insert into auth.identities (user_id, provider_id, provider, identity_data) values ('00000000-0000-4000-8000-000000000001', '1', 'email', '{"email": "A@Example.test"}');
insert into auth.sessions (id, user_id) values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001');
insert into auth.refresh_tokens (session_id, token_hash) values ('00000000-0000-4000-8000-000000000002', 'hash');
insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values ('00000000-0000-4000-8000-000000000001', 'recovery_token', 'hash', 'a@example.test');
update auth.sessions set refreshed_at = now();
update auth.refresh_tokens set revoked_at = now();
select results_eq('select email from auth.identities', 'values (''a@example.test'')', 'the identity''s address is derived');
select results_eq('select refreshed_at is not null from auth.sessions', 'values (true)', 'a session can be stored and updated');
select results_eq('select revoked_at is not null from auth.refresh_tokens', 'values (true)', 'a refresh token can be stored and revoked');
insert into auth.flow_state (user_id, authentication_method, code_challenge, code_challenge_method) values ('00000000-0000-4000-8000-000000000001', 'recovery', repeat('c', 43), 's256');
update auth.one_time_tokens set attempts = attempts + 1, flow_state_id = (select id from auth.flow_state);
select results_eq('select attempts from auth.one_time_tokens', 'values (1)', 'attempts at a code are counted');
delete from auth.flow_state;
select is_empty('select from auth.one_time_tokens', 'deleting a flow deletes its link');
insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values ('00000000-0000-4000-8000-000000000001', 'recovery_token', 'hash', 'a@example.test');
delete from auth.one_time_tokens;
select is_empty('select from auth.one_time_tokens', 'a one-time token can be deleted after use');
reset role;

-- No other role can access them, and the auth service can't access other tables.
select tests.people() \gset
insert into auth.sessions (id, user_id) values (tests.id('session'), tests.id('agency'));
insert into auth.refresh_tokens (session_id, token_hash) values (tests.id('session'), 'another');
insert into auth.identities (user_id, provider_id, provider, identity_data) values (tests.id('agency'), '2', 'email', '{}');
insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values (tests.id('agency'), 'recovery_token', 'hash', '');
insert into auth.flow_state (user_id, authentication_method, code_challenge, code_challenge_method) values (tests.id('agency'), 'recovery', repeat('c', 43), 's256');
insert into auth.sign_in_failures (address_hash, failures, created_at) values ('hash', 1, now());
insert into auth.mail_allowances (address_hash, used_until) values ('hash', now());
create function pg_temp.lines(name regclass) returns text language plpgsql as $$
declare
  lines text;
begin
  execute format('select count(*) from %s', name) into lines;
  return lines;
end $$;
create temporary table deed as
select name, act, sql
from unnest(array['auth.flow_state', 'auth.identities', 'auth.mail_allowances', 'auth.one_time_tokens', 'auth.refresh_tokens', 'auth.sessions', 'auth.sign_in_failures', 'auth.users']::regclass[]) as name
cross join lateral (values ('read', 'select * from ' || name), ('change', 'update ' || name || ' set ' || case when name = 'auth.mail_allowances'::regclass then 'used_until' else 'created_at' end || ' = ''2020-01-01'''),
  ('add to', 'insert into ' || name || ' default values'), ('empty', 'delete from ' || name)) as deeds (act, sql);
select tests.cell(act || ' ' || name, who, sql, '42501')
from deed cross join unnest(array['visitor', 'unapproved', 'approved', 'verified', 'agency', 'vendor', 'admin', 'superadmin', 'service', 'storage service']) as who;
select tests.cell(act || ' ' || name, 'auth service', sql, case when name = 'auth.users'::regclass and act = 'empty' then '23001' else pg_temp.lines(name) end)
from deed where act <> 'add to';
select tests.cell('read ' || private, 'auth service', 'select * from ' || private, '42501')
from unnest(array['app.profiles', 'app.user_roles', 'app.influencers', 'app.influencer_private', 'app.moderation', 'app.gigs', 'public.influencers',
  'public.profiles', 'public.user_roles', 'storage.objects', 'storage.buckets']) as private;
select tests.cell('read ' || private, 'storage service', 'select * from ' || private, '42501')
from unnest(array['app.profiles', 'app.user_roles', 'app.influencers', 'app.influencer_private', 'app.moderation', 'app.gigs', 'public.influencers',
  'public.profiles', 'public.user_roles']) as private;

-- Deleting an account deletes its role.
delete from auth.users where email = 'a@example.test';
select is_empty('select from app.user_roles where user_id = ''00000000-0000-4000-8000-000000000001''', 'deleted with the account');


-- For staff, the role comes from app_metadata, and user_metadata is ignored.
select lives_ok($$insert into auth.users (email, raw_app_meta_data, raw_user_meta_data) values ('staff@example.test', '{"marketplace_role": "admin"}', '{"user_type": "whatever"}')$$,
  'staff need no user_type');
select is((select string_agg(role, ' ') from app.user_roles where user_id = (select id from app.profiles where email = 'staff@example.test')), 'admin', 'it gives staff no other role');

-- A seed file of a Supabase project works unchanged.
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, confirmation_token, confirmation_sent_at,
  recovery_token, recovery_sent_at, email_change_token_new, email_change, email_change_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data,
  is_super_admin, created_at, updated_at, phone, phone_confirmed_at, phone_change, phone_change_token, phone_change_sent_at, email_change_token_current,
  email_change_confirm_status, banned_until, reauthentication_token, reauthentication_sent_at, is_sso_user, deleted_at, is_anonymous)
values ('00000000-0000-0000-0000-000000000000', '5eed0000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'seed@example.test',
  extensions.crypt('correct horse', extensions.gen_salt('bf')), '2026-01-02', null, 'confirmation-secret', null, 'recovery-secret', null, '', '', null, now(),
  '{"provider": "email", "providers": ["email"]}', '{"full_name": "Seed"}', null, now(), now(), null, null, '', '', null, '', 0, null, '', null, false, null, false);
insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
values (gen_random_uuid(), '5eed0000-0000-4000-8000-000000000001', '5eed0000-0000-4000-8000-000000000001',
  '{"sub": "5eed0000-0000-4000-8000-000000000001", "email": "seed@example.test"}', 'email', now(), now(), now());
select ok(encrypted_password like '$2a$%' and confirmed_at = '2026-01-02', 'a seed of a Supabase project makes an account with a bcrypt hash')
from auth.users where email = 'seed@example.test';
select is(tests.outcome(who, 'select ' || column_name || ' from auth.users'), '42501', who || ' can''t read ' || column_name || ' of accounts')
from unnest(array['visitor', 'agency', 'superadmin', 'service']) as who
cross join unnest(array['confirmation_token', 'recovery_token', 'email_change_token_new', 'email_change_token_current', 'phone_change_token',
  'reauthentication_token', 'encrypted_password']) as column_name;
select is(tests.outcome(who, $$select extensions.crypt('a', 'b')$$), '42501', who || ' can''t call pgcrypto')
from unnest(array['visitor', 'agency', 'service']) as who;
\ir ../finish.sql
