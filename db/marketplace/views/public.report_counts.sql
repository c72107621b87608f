-- How many reports wait for a decision, in one row that only admins get.
create or replace view public.report_counts with (security_invoker = true) as
select
  (select count(*) from app.reports where state = 'open') as open,
  (select count(*) from app.reports where state = 'taken') as taken
where (select app.is_admin());

select app.reset_access('public.report_counts');

grant select on public.report_counts to authenticated;
