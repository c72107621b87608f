-- Users read their own rows. The only change that they can make is to mark one as seen.
select app.reset_access('app.notices');

create policy "people read their own" on app.notices for select to authenticated
  using (user_id = (select app.account_id()));
create policy "people mark their own as seen" on app.notices for update to authenticated
  using (user_id = (select app.account_id())) with check (user_id = (select app.account_id()));
-- For security definer functions: app.tell_of_approval(), app.notify(), which updates a recent notification, and
-- app.tick_notifications().
create policy "the owner of the schema adds" on app.notices for insert to serasi_owner with check (true);
create policy "the owner of the schema reads" on app.notices for select to serasi_owner using (true);
create policy "the owner of the schema changes" on app.notices for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema prunes" on app.notices for delete to serasi_owner using (true);

grant select on app.notices to authenticated;
grant update (seen_at) on app.notices to authenticated;
grant select, insert, update, delete on app.notices to service_role;
