-- The backups that were requested or made, for superadmins.
create or replace view public.backups with (security_invoker = true) as
select id, created_at, requested_by, state, started_at, finished_at, step, percent, place, bytes, row_count, picture_count,
  verified_at, verified, removed_at, error
from app.backups;

select app.reset_access('public.backups');

grant select on public.backups to authenticated;
