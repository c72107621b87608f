-- Pins the path of functions that were created or replaced: names resolve in pg_catalog only, also in those that run with the rights of
-- their owner. Not in parsed bodies, and not in the operators of labels, which qualify every name (marketplace/01_label.sql).
-- Then checks all bodies: files are applied without a look at them, because they call functions of later files.
set local check_function_bodies = on;
do $$
declare
  created record;
begin
  for created in
    select pg_proc.oid, lanname, prosqlbody is not null or proname in ('label_like', 'label_ilike')
      or coalesce('search_path=pg_catalog, pg_temp' = any (proconfig), false) as is_pinned
    from pg_catalog.pg_proc join pg_catalog.pg_language on pg_language.oid = prolang
    where proowner = 'serasi_owner'::regrole
  loop
    if not created.is_pinned then
      execute format('alter function %s set search_path = pg_catalog, pg_temp', created.oid::regprocedure);
    end if;
    case created.lanname
      when 'sql' then perform pg_catalog.fmgr_sql_validator(created.oid);
      when 'plpgsql' then perform pg_catalog.plpgsql_validator(created.oid);
      else null;
    end case;
  end loop;
exception when others then
  raise exception '%: %', created.oid::regprocedure, sqlerrm using errcode = sqlstate;
end $$;
