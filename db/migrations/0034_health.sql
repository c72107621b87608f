-- `app.system_health()` reads the version of the schema and the state of the replicas.
grant usage on schema migration to serasi_owner;
grant select on migration.version, migration.applied to serasi_owner;

-- Roles of this product inherit nothing, and PostgreSQL 15 can't make an exception: replicas have no details there.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant pg_read_all_stats to serasi_owner with inherit true, set false';
  end if;
end $$;
