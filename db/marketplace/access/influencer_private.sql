-- Payment details and date of birth. Only the owner reads and writes them; admins can't. Others have the SELECT privilege,
-- which `select=*` on the view requires, but no policy gives them a row.
select serasi.reset_access('app.influencer_private');

create policy "their owner reads" on app.influencer_private for select to authenticated
  using (user_id = (select app.account_id()));
create policy "their owner adds" on app.influencer_private for insert to authenticated
  with check (user_id = (select auth.uid()) and (select app.has_role('influencer')));
create policy "their owner edits" on app.influencer_private for update to authenticated
  using (user_id = (select auth.uid()) and (select app.has_role('influencer')))
  with check (user_id = (select auth.uid()) and (select app.has_role('influencer')));

grant select on app.influencer_private to anon, authenticated;
grant insert (user_id) on app.influencer_private to authenticated;
select serasi.grant_editing('payment_info, date_of_birth', 'app.influencer_private');
grant select, insert, update, delete on app.influencer_private to service_role;
