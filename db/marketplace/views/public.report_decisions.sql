-- The admins' part of a report, for admins.
create or replace view public.report_decisions with (security_invoker = true) as
select report_id, owner_id, taken_by, taker, taken_at, decided_by, decider, note, actions from app.report_decisions;

select app.reset_access('public.report_decisions');

grant select on public.report_decisions to authenticated, service_role;
