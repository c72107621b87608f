-- Drops and disables each trigger. Triggers on views can't be disabled.
select tgrelid::regclass::text, format('trigger %s on %s: %s', tgname, tgrelid::regclass, change), sql, null
from pg_trigger join pg_class on pg_class.oid = tgrelid
cross join lateral (values
  ('dropped', format('drop trigger %I on %s', tgname, tgrelid::regclass)),
  ('disabled', case when relkind <> 'v' then format('alter table %s disable trigger %I', tgrelid::regclass, tgname) end)
) as mutant (change, sql)
where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole) and not tgisinternal and sql is not null
union all
select evtname, format('event trigger %s: %s', evtname, change), sql, null
from pg_event_trigger
cross join lateral (values
  ('dropped', format('drop event trigger %I', evtname)),
  ('disabled', format('alter event trigger %I disable', evtname))
) as mutant (change, sql)
order by 1, 2
