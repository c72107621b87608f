-- Superadmins read the log, and triggers write it. Nobody can change entries, not even with the service key: only
-- app.erase_from_log() and serasi.end_retention() can (app.keep_the_log).
select serasi.reset_access('app.audit_log');
select serasi.on_deletion('app.audit_log', 'replaced by pseudonyms; admins'' acts stay', 'actor_id, actor, subject_id, subject, details');

create policy "superadmins read" on app.audit_log for select to authenticated
  using ((select app.is_superadmin()));

-- Actions of admins, for superadmins.
create or replace view public.audit_log with (security_invoker = true) as
select id, created_at, actor_id, actor, action, subject_type, subject_id, subject, details from app.audit_log;

grant select on app.audit_log, public.audit_log to authenticated, service_role;

select serasi.reset_access('app.audit_actions');
select serasi.on_deletion('app.audit_actions', 'kept: of the operator');
