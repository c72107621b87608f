//! Describes the operator's objects. The description must be the same after a restore, on any version of PostgreSQL.

use sqlx::PgConnection;

/// Ignores the privilege MAINTAIN (`m`) and NOT NULL constraints, in which versions of PostgreSQL differ.
const DESCRIBED: &str = r#"
with own_schemas as (
  select oid from pg_namespace where nspname in ('public', 'private', 'shop')
), relations as (
  select pg_class.* from pg_class join own_schemas on own_schemas.oid = relnamespace where relowner <> 'serasi_owner'::regrole
), lines (line) as (
  select concat_ws(' ', 'relation', oid::regclass, relkind, relowner::regrole, relrowsecurity, relforcerowsecurity,
    replace(relacl::text, 'xtm', 'xt'), obj_description(oid, 'pg_class')) from relations
  union all
  select concat_ws(' ', 'column', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
    pg_get_expr(adbin, adrelid))
  from pg_attribute join relations on relations.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and relkind in ('r', 'v', 'm')
  union all
  select concat_ws(' ', 'function', pg_proc.oid::regprocedure, proowner::regrole, prosecdef, proconfig, proacl, md5(prosrc))
  from pg_proc join own_schemas on own_schemas.oid = pronamespace where proowner <> 'serasi_owner'::regrole
  union all
  select concat_ws(' ', 'policy', polname, polrelid::regclass, polcmd, polpermissive, polroles::regrole[], pg_get_expr(polqual, polrelid),
    pg_get_expr(polwithcheck, polrelid), obj_description(pg_policy.oid, 'pg_policy'))
  from pg_policy where polrelid in (select oid from relations) or obj_description(oid, 'pg_policy') = 'imported by serasi'
  union all
  select concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(pg_trigger.oid))
  from pg_trigger join pg_proc on pg_proc.oid = tgfoid
  where not tgisinternal and proowner <> 'serasi_owner'::regrole and pronamespace in (select oid from own_schemas)
  union all
  select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where conrelid in (select oid from relations) and contype <> 'n'
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) from pg_index where indrelid in (select oid from relations)
  union all
  select concat_ws(' ', 'sequence', schemaname, sequencename, last_value) from pg_sequences where schemaname in ('public', 'private', 'shop')
  union all
  select concat_ws(' ', 'schema', nspname, nspowner::regrole, nspacl, obj_description(oid, 'pg_namespace'))
  from pg_namespace where nspname in ('private', 'shop')
  union all
  select concat_ws(' ', 'type', enumtypid::regtype, enumlabel) from pg_enum where enumtypid::regtype::text like 'public.%'
  union all
  select concat_ws(' ', 'extension', extname, extnamespace::regnamespace) from pg_extension
  union all
  select concat_ws(' ', 'may call', rolname, has_function_privilege(pg_roles.oid, pg_proc.oid, 'execute'), pg_proc.oid::regprocedure)
  from pg_roles, pg_proc where rolname in ('anon', 'import_owner') and proname in ('uuid_generate_v4', 'crypt', 'citext_eq', 'similarity')
    and (rolname = 'anon' or proname <> 'similarity')
)
select shown from (select replace(line, 'postgres', 'import_owner') as shown from lines) as all_lines
order by shown collate pg_catalog."C""#;

pub async fn described(connection: &mut PgConnection) -> Vec<String> {
    sqlx::raw_sql("set search_path = ''").execute(&mut *connection).await.unwrap();
    let lines = sqlx::query_scalar(DESCRIBED).fetch_all(&mut *connection).await.unwrap();
    sqlx::raw_sql("reset search_path").execute(connection).await.unwrap();
    lines
}
