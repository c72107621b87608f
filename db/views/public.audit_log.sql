-- The actions of admins, for superadmins.
drop view if exists public.audit_log cascade;

create view public.audit_log with (security_invoker = true) as
select id, created_at, actor_id, actor, action, subject_type, subject_id, subject, details from app.audit_log;

grant select on public.audit_log to authenticated, service_role;
