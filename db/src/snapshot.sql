-- Everything that decides what the database stores and who may do what, as sorted lines. Not included: the bodies of functions
-- and views (their files are applied again when they change), and what PostgreSQL and the launcher add by themselves.
with schemas as (
  select oid, nspname, nspowner, nspacl from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'public', 'extensions', 'migration')
), roles as (
  -- The superuser has another name in each cluster.
  select oid, case when rolsuper then 'superuser' else quote_ident(rolname) end as role from pg_roles
  union all values (0::oid, 'public')
), our_roles as (
  select * from pg_roles
  where rolname in ('serasi_owner', 'anon', 'authenticated', 'service_role', 'authenticator', 'auth_admin', 'storage_admin', 'functions_admin', 'developer')
), relations as (
  select pg_class.*, case relkind when 'v' then 'view ' when 'S' then 'sequence ' else 'table ' end || nspname || '.' || relname as block
  from pg_class join schemas on schemas.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
), functions as (
  select pg_proc.*, nspname || '.' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')' as name,
    exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e') as of_extension
  from pg_proc join schemas on schemas.oid = pronamespace
), grants as (
  -- Without the owner's own privileges, which depend on PostgreSQL's version.
  select block, 8 as position, lower(privilege_type) as act, null::name as field, attnum, grantee, grantor, is_grantable
  from relations cross join aclexplode(coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)))
  cross join (values (null::smallint)) as no_column (attnum)
  where grantee <> relowner
  union all
  select block, 9, lower(privilege_type), attname, attnum, grantee, grantor, is_grantable
  from relations join pg_attribute on attrelid = relations.oid cross join aclexplode(attacl)
  where grantee <> relowner
), lines (section, block, position, line) as (
  select 1, 'role ' || rolname, 0, concat('role ', rolname, case when rolsuper then ' superuser' end, case when rolcanlogin then ' login' end,
    case when rolinherit then ' inherit' end, case when rolbypassrls then ' bypassrls' end, case when rolcreaterole then ' createrole' end,
    case when rolcreatedb then ' createdb' end, case when rolreplication then ' replication' end,
    case when rolconnlimit <> -1 then ' connection limit ' || rolconnlimit end, ' -- ' || shobj_description(oid, 'pg_authid'))
  from our_roles
  union all
  select 1, 'role ' || rolname, 1, concat('  member of ', role, case when admin_option then ' with admin option' end)
  from our_roles join pg_auth_members on member = our_roles.oid join roles on roles.oid = roleid
  union all
  -- backend/roles.sql can't grant it there.
  select 1, 'role serasi_owner', 1, '  member of pg_read_all_stats' where current_setting('server_version_num')::integer < 160000
  union all
  select 1, 'role ' || rolname, 2, '  set ' || setting
  from our_roles join pg_db_role_setting on setrole = our_roles.oid and setdatabase = 0 cross join unnest(setconfig) as setting
  -- The launcher sets these at each start.
  where setting !~ '^(client_connection_check_interval|log_min_messages)='

  union all
  select 2, 'schema ' || nspname, 0, 'schema ' || nspname || ' owner ' || role from schemas join roles on roles.oid = nspowner
  union all
  select 2, 'schema ' || nspname, 1, format('  grant %s to %s', string_agg(lower(privilege_type), ', ' order by privilege_type), role)
  from schemas cross join aclexplode(coalesce(nspacl, acldefault('n', nspowner))) join roles on roles.oid = grantee
  where grantee <> nspowner group by nspname, role
  union all
  select 3, 'default ', 0, format('default privileges of %s%s on %s: %s', made.role, ' in ' || nullif(defaclnamespace, 0)::regnamespace,
    case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas' end,
    coalesce((
      select string_agg(line, '; ' order by line collate "C") from (
        select string_agg(lower(privilege_type), ', ' order by privilege_type) || ' to ' || role as line
        from aclexplode(defaclacl) join roles on roles.oid = grantee where grantee <> defaclrole group by role) as per_role), 'none'))
  from pg_default_acl join roles as made on made.oid = defaclrole
  where defaclnamespace = 0 or defaclnamespace in (select oid from schemas)
  union all
  select 4, 'extension ', 0, format('extension %s in %s', extname, extnamespace::regnamespace)
  from pg_extension where extnamespace in (select oid from schemas)
  union all
  select 5, 'event trigger ', 0, format('event trigger %s on %s of %s: %s %s', evtname, evtevent, array_to_string(evttags, ', '), evtfoid::regproc, evtenabled)
  from pg_event_trigger

  union all
  select 6, 'type ' || typname, 0, concat('type ', nspname, '.', typname, ' ', case typtype when 'd' then 'domain as ' || format_type(typbasetype, typtypmod)
    else 'enum of ' || (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid) end, ' owner ', role,
    (select '; usage to ' || string_agg(to_role.role, ', ' order by to_role.role collate "C")
      from aclexplode(coalesce(typacl, acldefault('T', typowner))) join roles as to_role on to_role.oid = grantee where grantee <> typowner))
  from pg_type join schemas on schemas.oid = typnamespace join roles on roles.oid = typowner
  where typtype in ('d', 'e')
  union all
  select 6, 'type ' || typname, 1, format('  constraint %s %s', conname, pg_get_constraintdef(pg_constraint.oid))
  from pg_constraint join pg_type on pg_type.oid = contypid join schemas on schemas.oid = typnamespace where contype <> 'n'
  union all
  select 7, 'operator ', 0, format('operator %s %s, restrict %s, join %s, owner %s', pg_operator.oid::regoperator, oprcode, oprrest, oprjoin, role)
  from pg_operator join schemas on schemas.oid = oprnamespace join roles on roles.oid = oprowner
  where not exists (select from pg_depend where classid = 'pg_operator'::regclass and objid = pg_operator.oid and deptype = 'e')
  union all
  select 7, 'operator ', 1, format('operator class %s.%s for %s, owner %s', nspname, opcname, opcintype::regtype, role)
  from pg_opclass join schemas on schemas.oid = opcnamespace join roles on roles.oid = opcowner
  where not exists (select from pg_depend where classid = 'pg_opclass'::regclass and objid = pg_opclass.oid and deptype = 'e')

  union all
  select case relkind when 'v' then 10 else 8 end, block, 0, concat(block, case relpersistence when 'u' then ' unlogged' end,
    case when relkind in ('r', 'p') then case when relrowsecurity and relforcerowsecurity then ' row security forced'
      when relrowsecurity then ' row security' else ' no row security' end end,
    ' with (' || array_to_string(reloptions, ', ') || ')', ' owner ', role, ' -- ' || obj_description(relations.oid, 'pg_class'))
  from relations join roles on roles.oid = relowner
  union all
  select case relkind when 'v' then 10 else 8 end, block, 100 + row_number() over (partition by attrelid order by attnum), concat('  ', quote_ident(attname), ' ', format_type(atttypid, atttypmod),
    case when attcollation <> typcollation then ' collate ' || attcollation::regcollation end,
    case when attnotnull then ' not null' end,
    case attidentity when 'a' then ' generated always as identity' when 'd' then ' generated by default as identity' end,
    case attgenerated when 's' then ' generated as ' when 'v' then ' virtual as ' else case when adbin is not null then ' default ' end end
      || pg_get_expr(adbin, adrelid),
    case when relkind <> 'v' then ' statistics ' || nullif(attstattarget, -1) end, ' -- ' || col_description(attrelid, attnum))
  from relations join pg_attribute on attrelid = relations.oid join pg_type on pg_type.oid = atttypid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped and relkind <> 'S'
  union all
  select 8, block, 3000, format('  constraint %s %s%s', conname, pg_get_constraintdef(pg_constraint.oid), case when not convalidated then ' not valid' end)
  from pg_constraint join relations on relations.oid = conrelid where contype not in ('n', 't')
  union all
  select 8, block, 4000, '  ' || regexp_replace(pg_get_indexdef(indexrelid), '^CREATE (UNIQUE )?INDEX (\S+) ON \S+ USING ', 'index \2 \1')
    || case when not indisvalid then ' invalid' else '' end
  from pg_index join relations on relations.oid = indrelid where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  union all
  select 8, block, 5000, '  ' || regexp_replace(pg_get_statisticsobjdef(pg_statistic_ext.oid), '^CREATE ', '')
  from pg_statistic_ext join relations on relations.oid = stxrelid
  union all
  select 8, block, 6000, concat('  policy "', polname, '" ', case when not polpermissive then 'restrictive ' end,
    case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end, ' to ',
    (select string_agg(role, ', ' order by role collate "C") from roles where oid = any (polroles)),
    ' using ' || pg_get_expr(polqual, polrelid), ' check ' || pg_get_expr(polwithcheck, polrelid))
  from pg_policy join relations on relations.oid = polrelid
  union all
  select case relkind when 'v' then 10 else 8 end, block, 7000,
    '  ' || regexp_replace(regexp_replace(pg_get_triggerdef(pg_trigger.oid), '^CREATE TRIGGER ', 'trigger '), ' ON [a-z_."]+ ', ' ')
    || case when tgenabled <> 'O' then ' enabled ' || tgenabled::text else '' end
  from pg_trigger join relations on relations.oid = tgrelid where not tgisinternal
  union all
  select case when block like 'view %' then 10 else 8 end, block, 8000 + position, format('  grant %s%s to %s%s', string_agg(act, ', ' order by act collate "C"),
    ' (' || fields || ')', role, case when is_grantable then ' with grant option' end)
  from (
    select block, position, act, role, is_grantable, string_agg(field, ', ' order by attnum) as fields
    from grants join roles on roles.oid = grantee group by block, position, act, role, is_grantable,
      case when field is null then act end) as per_act
  group by block, position, role, is_grantable, fields
  union all
  select 8, 'table ' || schemaname || '.' || tablename, 9500, format('  rule %s', definition) from pg_rules where schemaname in (select nspname from schemas) and rulename <> '_RETURN'

  union all
  select 12, 'function ', 0, concat('function ', name, ' returns ', pg_get_function_result(functions.oid), ' ', lanname,
    case provolatile when 'i' then ' immutable' when 's' then ' stable' else ' volatile' end,
    case when proisstrict then ' strict' end, case when prosecdef then ' security definer' end, case when proleakproof then ' leakproof' end,
    case proparallel when 's' then ' parallel safe' when 'r' then ' parallel restricted' end,
    case when procost <> 100 then ' cost ' || procost end, case when proretset and prorows <> 1000 then ' rows ' || prorows end,
    ' set ' || array_to_string(proconfig, ' set '), case when nullif(role, 'serasi_owner') is not null then ' owner ' || role end,
    (select ' to ' || string_agg(to_role.role, ', ' order by to_role.role collate "C")
      from aclexplode(coalesce(proacl, acldefault('f', proowner))) join roles as to_role on to_role.oid = grantee where grantee <> proowner))
  from functions join roles on roles.oid = proowner join pg_language on pg_language.oid = prolang
  where not of_extension
  union all
  select 12, 'function ', 1, format('function %s of an extension to %s', name, string_agg(role, ', ' order by role collate "C"))
  from functions cross join aclexplode(coalesce(proacl, acldefault('f', proowner))) join roles on roles.oid = grantee
  where of_extension and grantee <> proowner group by name
)
-- Expressions of several lines become one; other line breaks and tabs are parts of strings.
select replace(replace(replace(regexp_replace(line, '\s*\n\s*(?=[[:alnum:]])', ' ', 'g'), E'\t', '\t'), E'\r', '\r'), E'\n', '\n') as line
from lines order by section, block collate "C", position, line collate "C"
