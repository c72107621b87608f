-- Users read their own rows. The only change that they can make is to mark one as seen.
select serasi.reset_access('app.notices');
-- A notification belongs to its reader, and tells of others.
select serasi.on_deletion('app.notices', 'replaced: others'' notices lose name, title, texts and links to the profile', 'data, subject_id');

create policy "people read their own" on app.notices for select to authenticated
  using (user_id = (select app.account_id()));
create policy "people mark their own as seen" on app.notices for update to authenticated
  using (user_id = (select app.account_id())) with check (user_id = (select app.account_id()));

-- The notices on a user's dashboard, which are approvals. public.notifications contains all kinds.
-- Internal: in_digest.
create or replace view public.notices with (security_invoker = true) as
select id, user_id, kind, created_at, seen_at from app.notices where kind = 'approved';

-- A user's notifications.
create or replace view public.notifications with (security_invoker = true) as
select id, user_id, kind, subject_id, data, created_at, seen_at from app.notices;

grant select on app.notices, public.notices, public.notifications to authenticated;
grant update (seen_at) on app.notices, public.notices, public.notifications to authenticated;
grant select, insert, update, delete on app.notices, public.notices, public.notifications to service_role;
