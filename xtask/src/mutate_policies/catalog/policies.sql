-- Each policy and its parts.
select
  polrelid::regclass::text as "table", polname::text as name, polpermissive as permissive,
  case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as command,
  (select string_agg(case role when 0 then 'public' else quote_ident(role::regrole::text) end, ', ') from unnest(polroles) as role) as roles,
  pg_get_expr(polqual, polrelid) as "using", pg_get_expr(polwithcheck, polrelid) as "check"
from pg_policy
join pg_class on pg_class.oid = polrelid
where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)
order by 1, 2
