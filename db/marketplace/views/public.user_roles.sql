-- The marketplace roles of users.
create or replace view public.user_roles with (security_invoker = true) as
select user_id, role from app.user_roles;

select app.reset_access('public.user_roles');

grant select, delete on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;

-- A computed relationship for `influencers?select=*,user_roles(*)`, because no foreign key connects the two. In schema
-- `app`, so that the API does not expose it as a function.
create or replace function app.user_roles(public.influencers) returns setof public.user_roles
language sql stable set search_path = pg_catalog, pg_temp as $$
  select user_id, role from public.user_roles where user_id = $1.user_id
$$;
grant execute on function app.user_roles(public.influencers) to authenticated, service_role;
