-- Files are applied without a look at the bodies of functions, which call functions of later files. This checks all of them.
set local check_function_bodies = on;
do $$
declare
  created record;
begin
  for created in
    select pg_proc.oid, lanname from pg_catalog.pg_proc join pg_catalog.pg_language on pg_language.oid = prolang
    where proowner = 'serasi_owner'::regrole
  loop
    case created.lanname
      when 'sql' then perform pg_catalog.fmgr_sql_validator(created.oid);
      when 'plpgsql' then perform pg_catalog.plpgsql_validator(created.oid);
      else null;
    end case;
  end loop;
exception when others then
  raise exception '%: %', created.oid::regprocedure, sqlerrm using errcode = sqlstate;
end $$;
