-- The state of the system, for the superadmins' health page. Security definer, because API roles can't read the sources.
-- Every list and count is bounded.
create or replace function app.system_health() returns jsonb language plpgsql stable security definer as $$
begin
  perform app.refuse_if(not app.is_superadmin(), '42501', 'Only superadmins can see the state of the system');
  return jsonb_build_object(
    'program', (select number from migration.version),
    'schema', (select max(version) from migration.applied),
    'postgres', current_setting('server_version'),
    'started_at', pg_postmaster_start_time(),
    'database_bytes', pg_database_size(current_database()),
    'connections', (select sum(numbackends) from pg_stat_database),
    'max_connections', current_setting('max_connections')::integer,
    'replicas', app.replicas(),
    'outbox', app.outbox_state(),
    'disks', app.disks(),
    'backups', app.backup_state());
end $$;

-- Disk space in bytes. Reports older than 10 minutes are left out.
create or replace function app.disks() returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(data || jsonb_build_object('name', split_part(name, ' ', 2)) order by name), '[]')
  from serasi.system_reports where name like 'disk %' and reported_at > now() - interval '10 minutes'
$$;

-- `service` is null if no program that makes backups has ever reported.
create or replace function app.backup_state() returns jsonb language sql stable as $$
  select jsonb_build_object('service', app.backup_service(), 'last', (
    select jsonb_build_object('id', id, 'finished_at', finished_at, 'bytes', bytes, 'verified_at', verified_at, 'verified', verified)
    from serasi.backups where state = 'complete' and removed_at is null order by created_at desc, id desc limit 1))
$$;

-- On PostgreSQL 15, everything but the name is null, because serasi_owner lacks pg_read_all_stats there (migration 0034).
create or replace function app.replicas() returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'state', state, 'sync', sync_state, 'lag_seconds', extract(epoch from replay_lag),
    -- pg_current_wal_lsn() raises an error on a replica.
    'lag_bytes', case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) end)), '[]')
  from (
    select coalesce(nullif(application_name, ''), 'replica') as name, state, sync_state, replay_lag, replay_lsn
    from pg_stat_replication order by application_name, pid limit 20) as replica
$$;

create or replace function app.outbox_state() returns jsonb language sql stable as $$
  select jsonb_build_object('pending', count(*), 'oldest_at', min(created_at), 'given_up', (
    select count(*) from (select from serasi.mail_outbox where given_up_at is not null limit 1000) as failed))
  from (select created_at from serasi.mail_outbox where sent_at is null and given_up_at is null limit 1000) as waiting
$$;

create or replace function public.system_health() returns jsonb language sql stable as $$ select app.system_health() $$;

grant execute on function app.system_health(), public.system_health() to authenticated;
