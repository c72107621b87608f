-- The admins' part of a report, which reporters can't see. Admins read it, and app.decide_report() writes it.
select serasi.reset_access('app.report_decisions');
select serasi.on_deletion('app.report_decisions', 'replaced by pseudonyms', 'owner_id, taken_by, taker, decided_by, decider');
select serasi.on_deletion('app.report_decisions', 'kept until the report''s retention ends: admins'' reasons, which shouldn''t name anybody', 'note, actions');

create policy "admins read" on app.report_decisions for select to authenticated
  using ((select app.is_admin()));

-- The admins' part of a report, for admins.
create or replace view public.report_decisions with (security_invoker = true) as
select report_id, owner_id, taken_by, taker, taken_at, decided_by, decider, note, actions from app.report_decisions;

grant select on app.report_decisions, public.report_decisions to authenticated, service_role;
