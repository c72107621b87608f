-- The state of the system, which only superadmins can read.
\ir ../setup.sql
select tests.people() \g /dev/null

create function pg_temp.refusal(person text) returns text language plpgsql as $$
begin
  perform tests.become(person);
  perform public.system_health();
  perform tests.step_down();
  return 'none';
exception when others then
  perform tests.step_down();
  return sqlstate;
end $$;
select is(pg_temp.refusal(person), wanted, 'the state of the system, as ' || person)
from (values ('visitor', '42501'), ('new influencer', '42501'), ('verified', '42501'), ('agency', '42501'), ('vendor', '42501'), ('admin', '42501'),
  ('superadmin', 'none'), ('service', '42501')) as call (person, wanted);

insert into serasi.mail_outbox (template, recipient, data, created_at) values ('approved', 'a@example.test', '{}', now() - interval '1 hour');
insert into serasi.mail_outbox (template, recipient, data, given_up_at) values ('approved', 'b@example.test', '{}', now());
create temporary table health (state jsonb);
grant insert on health to authenticated;
do $$
begin
  perform tests.become('superadmin');
  insert into health select public.system_health();
  perform tests.step_down();
end $$;
select is((select array_agg(key order by key) from health, jsonb_object_keys(state) as key),
  '{backups,connections,database_bytes,disks,max_connections,outbox,postgres,program,replicas,schema,started_at}', 'what it contains');
select is((state -> 'outbox') - 'oldest_at', '{"pending": 1, "given_up": 1}'::jsonb, 'the outbox') from health;
select is((state -> 'outbox' ->> 'oldest_at')::timestamptz, now() - interval '1 hour', 'the oldest e-mail') from health;
select ok((state ->> 'database_bytes')::bigint > 0, 'the size') from health;
select is((state ->> 'schema')::bigint, (select max(version) from migration.applied)::bigint, 'the version of the schema') from health;
select is(jsonb_typeof(state -> 'replicas'), 'array', 'the replicas') from health;

-- The functions behind it don't check the caller, so no API role may call them.
select is((select count(*) from unnest('{app.replicas(),app.outbox_state(),app.disks(),app.backup_state(),app.backup_service()}'::regprocedure[]) as part, unnest('{anon,authenticated,service_role}'::name[]) as role
  where has_function_privilege(role, part, 'execute')), 0::bigint, 'nobody calls the parts');

\ir ../finish.sql
