-- The influencers that a signed-in user has saved.
create or replace view public.favorites with (security_invoker = true) as
select user_id, influencer_id, created_at from app.favorites;

select app.reset_access('public.favorites');

alter view public.favorites alter column user_id set default auth.uid();

grant select, delete on public.favorites to authenticated;
grant insert (user_id, influencer_id) on public.favorites to authenticated;
grant select, insert, update, delete on public.favorites to service_role;
