-- Disables row security for each table, or no longer forces it, and makes each view run with its owner's privileges.
--
-- The last column of this and the other catalog queries is the batch key: mutants with the same key can be applied together.
-- 'quiet' marks those that hardly any behavior test detects.
select relation, relation || ': ' || change, 'alter ' || statement, case change when 'row security no longer forced' then 'quiet' end
from pg_class
cross join lateral (select pg_class.oid::regclass::text) as named (relation)
cross join lateral (values
  ('r', 'row security disabled', format('table %s disable row level security', relation)),
  ('r', 'row security no longer forced', format('table %s no force row level security', relation)),
  ('v', 'security_invoker off', format('view %s reset (security_invoker)', relation))
) as mutant (kind, change, statement)
where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)
  and relkind::text = translate(kind, 'r', case relkind when 'p' then 'p' else 'r' end)
order by relation, change
