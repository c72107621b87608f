-- The caller's claims, from the token that the gateway or a service has verified. The functions have Supabase's names.
-- A subject that is no UUID belongs to no account: policies then show what no account owns, instead of failing (22P02).

create or replace function auth.jwt() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;

-- Tests of projects set the older `request.jwt.claim.sub`, which only counts without claims: a visitor's have no `sub`.
create or replace function auth.uid() returns uuid
language sql stable set search_path = '' as $$
  select case when claim ~* '^([0-9a-f]{4}-?){7}[0-9a-f]{4}$' then claim::uuid end
  from (select case nullif(current_setting('request.jwt.claims', true), '') is null
    when true then current_setting('request.jwt.claim.sub', true)
    else current_setting('request.jwt.claims', true)::jsonb ->> 'sub' end as claim) as token
$$;

create or replace function auth.role() returns text
language sql stable set search_path = '' as $$
  select nullif(case nullif(current_setting('request.jwt.claims', true), '') is null
    when true then current_setting('request.jwt.claim.role', true)
    else current_setting('request.jwt.claims', true)::jsonb ->> 'role' end, '')
$$;

create or replace function auth.email() returns text
language sql stable set search_path = '' as $$
  select nullif(case nullif(current_setting('request.jwt.claims', true), '') is null
    when true then current_setting('request.jwt.claim.email', true)
    else current_setting('request.jwt.claims', true)::jsonb ->> 'email' end, '')
$$;

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email()
  to anon, authenticated, service_role, auth_admin, storage_admin;
