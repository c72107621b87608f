-- Admins read the list, and app.decide_report() and app.unblock_sender() write it. No API role reads the address hashes.
select serasi.reset_access('app.blocked_senders');
select serasi.on_deletion('app.blocked_senders', 'replaced; an account''s name is never stored', 'name, blocked_by, blocker');
select serasi.on_deletion('app.blocked_senders', 'kept until the retention ends: a keyed hash, which keeps out who opens the account again', 'address_hash');
select serasi.on_deletion('app.blocked_senders', 'kept until the retention ends: an admin''s reason, which shouldn''t name anybody', 'reason');

create policy "admins read" on app.blocked_senders for select to authenticated
  using ((select app.is_admin()));

grant select (id, user_id, name, reason, blocked_by, blocker, created_at) on app.blocked_senders to authenticated, service_role;

-- Senders that can no longer send enquiries and applications, for admins. The hashes of their addresses are not exposed. The name of
-- an account is its address.
create or replace view public.blocked_senders with (security_invoker = true) as
select id, user_id, coalesce((select email::text from app.profiles where profiles.id = user_id), name) as name, reason, blocked_by, blocker, created_at from app.blocked_senders;

grant select on public.blocked_senders to authenticated, service_role;
