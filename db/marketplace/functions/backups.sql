-- Backup requests. `serasi up` or `serasi backup --watch` carries them out.

-- The last report of the program that makes backups, or null if none ever ran. It reports every minute, so it counts as
-- stopped after three minutes without a report.
create or replace function app.backup_service() returns jsonb language sql stable as $$
  select data || jsonb_build_object('seen_at', reported_at, 'running', reported_at > now() - interval '3 minutes')
  from serasi.system_reports where name = 'backups'
$$;

-- Returns the ID of the request. Security definer, because no API role may insert into the table. The lock serializes
-- requests, so that each sees the previous one.
create or replace function app.request_backup() returns uuid language plpgsql security definer as $$
declare
  requested uuid;
begin
  perform app.refuse_if(not app.is_superadmin(), '42501', 'Only superadmins can request a backup');
  perform pg_advisory_xact_lock(hashtextextended('serasi.backups', 0));
  if app.backup_service() is null then
    raise sqlstate 'PT409' using message = 'Backups are not set up', hint = 'Set BACKUP_TO for `serasi up` or `serasi backup --watch`.';
  end if;
  perform app.refuse_if(not (app.backup_service() -> 'running')::boolean, 'PT409', 'The program that makes backups is not running');
  perform app.refuse_if(exists (select from serasi.backups where state in ('requested', 'running')),
    'PT409', 'A backup is already requested or running');
  perform app.refuse_too_many('Too many backups were requested, please try again later', (
    select created_at + interval '1 hour' from serasi.backups
    where requested_by is not null and created_at > now() - interval '1 hour' order by created_at desc offset 5 limit 1));
  insert into serasi.backups (requested_by, state) values (auth.uid(), 'requested') returning id into requested;
  perform app.audit(auth.uid(), 'request_backup', 'backup', requested, 'Database and images');
  return requested;
end $$;

create or replace function public.request_backup() returns uuid language sql as $$ select app.request_backup() $$;

grant execute on function app.request_backup(), public.request_backup() to authenticated;
