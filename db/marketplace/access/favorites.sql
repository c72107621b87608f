-- Users see and change only their own rows, and save only influencers whom they can see.
select serasi.reset_access('app.favorites');

create policy "people read their own" on app.favorites for select to authenticated
  using (user_id = (select app.account_id()));
create policy "people keep whom they can see" on app.favorites for insert to authenticated
  with check (user_id = (select app.account_id()) and exists (select from app.influencers where id = influencer_id));
create policy "people drop their own" on app.favorites for delete to authenticated
  using (user_id = (select app.account_id()));

-- The influencers that a signed-in user has saved.
create or replace view public.favorites with (security_invoker = true) as
select user_id, influencer_id, created_at from app.favorites;

alter view public.favorites alter column user_id set default auth.uid();

grant select, delete on app.favorites, public.favorites to authenticated;
grant insert (user_id, influencer_id) on app.favorites, public.favorites to authenticated;
grant select, insert, update, delete on app.favorites, public.favorites to service_role;
