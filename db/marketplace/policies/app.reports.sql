-- Reporters read their own reports, admins all. Only app.decide_report() changes the state.
select app.reset_access('app.reports');

create policy "reporters read their own, admins all" on app.reports for select to authenticated
  using (reporter_id = (select app.account_id()) or (select app.is_admin()));
create policy "people report" on app.reports for insert to authenticated
  with check (reporter_id = (select app.account_id()) and state = 'open' and words is null);
-- For app.queue_suspicious() and app.decide_report().
create policy "the owner of the schema does all" on app.reports to serasi_owner using (true) with check (true);

grant select on app.reports to authenticated, service_role;
grant insert (kind, subject_id, reason, text) on app.reports to authenticated;
