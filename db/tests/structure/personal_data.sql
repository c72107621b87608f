-- Every column that can contain personal data is on the list of app.personal_data(), and every table ends somehow.
\ir ../setup.sql

create temporary table holder as
select format('%I.%I', nspname, relname) as relation, attname as field
from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
left join pg_type as element on element.oid = (select typelem from pg_type where pg_type.oid = atttypid and typcategory = 'A')
cross join lateral (select coalesce(element.oid, atttypid) as kind) as kinds
where nspowner = 'serasi_owner'::regrole and relkind in ('r', 'p') and attnum > 0 and not attisdropped
  -- Numbers, times and flags tell of nobody by themselves; a date of birth does.
  and kind not in ('boolean'::regtype, 'smallint'::regtype, 'integer'::regtype, 'bigint'::regtype, 'real'::regtype, 'double precision'::regtype, 'timestamptz'::regtype, 'interval'::regtype)
  and not (kind = 'date'::regtype and attname <> 'date_of_birth');
create temporary table listed as
select relation, field, fate, why from app.personal_data() cross join unnest(fields) as field;

select is_empty('select relation, field from holder except select relation, field from listed', 'each column is listed: say in app.personal_data() what a deletion does with it');
select is_empty('select relation, field from listed except select relation, field from holder', 'and each that is listed exists');
select is_empty('select relation, field from listed group by 1, 2 having count(*) > 1', 'once');
select is_empty('select relation from listed where fate not in (''removed'', ''replaced'', ''kept'', ''free'') or why = ''''', 'with what happens, and why');
select is_empty($$select conrelid::regclass, conname from pg_constraint where contype = 'f' and confrelid in ('auth.users'::regclass, 'app.profiles'::regclass)
  and confdeltype not in ('c', 'n')$$, 'no reference keeps an account from being deleted');
-- The list is no promise: a new column of an account's id is found.
alter table app.gigs add column seen_by uuid;
select set_eq('select relation, field from (
  select format(''%I.%I'', nspname, relname) as relation, attname::text as field from pg_attribute join pg_class on pg_class.oid = attrelid
  join pg_namespace on pg_namespace.oid = relnamespace where nspname = ''app'' and relkind = ''r'' and atttypid = ''uuid''::regtype and attnum > 0) as ids
  except select relation, field from listed', $$values ('app.gigs', 'seen_by')$$, 'a new column is missed');

select set_eq('select distinct relation from app.retention', 'select distinct format(''%I.%I'', nspname, relname) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspowner = ''serasi_owner''::regrole and relkind in (''r'', ''p'')', 'each table has a row in app.retention, which says how it ends');
-- A batch reads an index in the order of the moment.
select is_empty($$select relation, name from app.retention where bound = 'period' and not exists (
  select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
  where indrelid = relation::regclass and attname = moment)$$, 'each period has an index');
\ir ../finish.sql
