-- Reporters read their own reports, admins all. Only app.decide_report() changes the state.
select serasi.reset_access('app.reports');
select serasi.on_deletion('app.reports', 'replaced; admins keep kind, reason and decision', 'subject_id, text, snapshot, title');
select serasi.on_deletion('app.reports', 'kept: the words are a fixed list', 'words');

create policy "reporters read their own, admins all" on app.reports for select to authenticated
  using (reporter_id = (select app.account_id()) or (select app.is_admin()));
create policy "people report" on app.reports for insert to authenticated
  with check (reporter_id = (select app.account_id()) and state = 'open' and words is null);

grant select on app.reports to authenticated, service_role;

-- How many reports wait for a decision, in one row that only admins get.
create or replace view public.report_counts with (security_invoker = true) as
select
  (select count(*) from app.reports where state = 'open') as open,
  (select count(*) from app.reports where state = 'taken') as taken
where (select app.is_admin());

grant select on public.report_counts to authenticated;

-- Reports by users, and about suspicious texts by the database. Reporters read their own, admins all.
create or replace view public.reports with (security_invoker = true) as
select id, kind, subject_id, reporter_id, reason, text, words, snapshot, title, state, created_at, decided_at from app.reports;

grant select on public.reports to authenticated;
grant insert (kind, subject_id, reason, text) on app.reports, public.reports to authenticated;
grant select on public.reports to service_role;
