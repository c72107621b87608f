select polrelid::regclass::text as "table", quote_ident(polname) as name,
  (select string_agg(case role when 0 then 'public' else role::regrole::text end, ', ') from unnest(polroles) as role) as roles,
  pg_get_expr(polqual, polrelid) as "using", pg_get_expr(polwithcheck, polrelid) as "check"
from pg_policy join pg_class on pg_class.oid = polrelid
where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)
order by 1, 2
