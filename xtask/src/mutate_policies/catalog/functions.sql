-- For each function: changes its privileges, its security mode and its settings, and replaces its body with a constant or
-- with nothing.
with function as (
  select pg_proc.oid, pg_proc.oid::regprocedure::text as name, prorettype, proretset, prosecdef, proconfig, proleakproof, proowner, proacl, prosrc, lanname, proargmodes,
    -- The definition without the body, which comes last.
    regexp_replace(pg_get_functiondef(pg_proc.oid), case when prosqlbody is null then E'\nAS ' else E'\n(BEGIN ATOMIC|RETURN )' end || '.*$', '') as head,
    exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e') as of_extension
  from pg_proc join pg_language on pg_language.oid = prolang
  where pronamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)
    and prokind = 'f'
), body (returns, change, sql, plpgsql) as (
  values
    ('boolean'::regtype, 'always true', 'select true', 'begin return true; end'),
    ('boolean', 'always false', 'select false', 'begin return false; end'),
    ('void', 'does nothing', 'select', 'begin end'),
    ('trigger', 'lets everything pass', null, 'begin return coalesce(new, old); end'),
    ('event_trigger', 'does nothing', null, 'begin end'),
    (null, 'always null', 'select null::' || '%s', 'begin return null; end')
)
select name, 'function ' || name || ': ' || change, sql,
  case when change ~ '^(execute granted|search_path|belongs)' then 'quiet' when change ~ '^(runs as its owner|returns no row)' then change end
from function cross join lateral (
  select 'execute revoked from ' || role, format('revoke execute on function %s from %s', name, role)
  from aclexplode(proacl) cross join lateral (select case grantee when 0 then 'public' else quote_ident(grantee::regrole::text) end) as named (role)
  where grantee <> proowner
  union all
  select 'execute granted to ' || role, format('grant execute on function %s to %s', name, role)
  from unnest(array['public', 'anon', 'authenticated']) as role
  -- EXECUTE on a trigger function is only checked when a trigger is created.
  where (role = 'public' or (prorettype <> 'trigger'::regtype and not of_extension))
    and not exists (
      select from aclexplode(coalesce(proacl, acldefault('f', proowner)))
      where case grantee when 0 then 'public' else grantee::regrole::text end in (role, 'public'))
  union all
  select 'runs as its caller', format('alter function %s security invoker', name) where prosecdef
  union all
  select 'runs as its owner', format('alter function %s security definer', name) where not prosecdef and not of_extension
  union all
  select 'belongs to a superuser', format('alter function %s owner to current_user', name) where prosecdef
  union all
  select 'search_path not fixed', format('alter function %s reset search_path', name) where proconfig::text like '%search_path=%'
  union all
  select body.change, format(E'%s\nAS $mutant$%s$mutant$', head, case
      when lanname = 'sql' then format(body.sql, format_type(prorettype, null))
      -- OUT parameters start as null.
      when proargmodes && '{o,b}' then 'begin return; end'
      else body.plpgsql end)
  from body
  where not proretset and lanname in ('sql', 'plpgsql') and coalesce(body.returns = prorettype,
    prorettype not in ('boolean'::regtype, 'void'::regtype, 'trigger'::regtype, 'event_trigger'::regtype))
  union all
  select 'leakproof no longer', format('alter function %s not leakproof', name) where proleakproof
  union all
  select 'returns no row', format(E'%s\nAS $mutant$%s$mutant$', head, case lanname when 'plpgsql' then 'begin end' else format('select null::%s where false', format_type(prorettype, null)) end)
  where proretset and lanname in ('sql', 'plpgsql')
) as mutant (change, sql)
order by 1, 2
