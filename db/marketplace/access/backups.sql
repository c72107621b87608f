-- The backups that were requested or made, for superadmins. app.request_backup() adds requests.
drop policy if exists "superadmins read" on serasi.backups;
create policy "superadmins read" on serasi.backups for select to authenticated
  using ((select app.is_superadmin()));

create or replace view public.backups with (security_invoker = true) as
select id, created_at, requested_by, state, started_at, finished_at, step, percent, place, bytes, row_count, picture_count,
  verified_at, verified, removed_at, error
from serasi.backups;

grant select on serasi.backups, public.backups to authenticated;
