-- Actions of admins, for superadmins.
create or replace view public.audit_log with (security_invoker = true) as
select id, created_at, actor_id, actor, action, subject_type, subject_id, subject, details from app.audit_log;

select app.reset_access('public.audit_log');

grant select on public.audit_log to authenticated, service_role;
