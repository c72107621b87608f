-- Senders that can no longer send enquiries and applications, for admins. The hashes of their addresses are not exposed. The name of
-- an account is its address.
create or replace view public.blocked_senders with (security_invoker = true) as
select id, user_id, coalesce((select email::text from app.profiles where profiles.id = user_id), name) as name, reason, blocked_by, blocker, created_at from app.blocked_senders;

select app.reset_access('public.blocked_senders');

grant select on public.blocked_senders to authenticated, service_role;
