//! The catalog as lines of text, to compare databases of the same cluster: everything that decides who may do what, and how.

use std::collections::BTreeSet;

use sqlx::PgConnection;

const CATALOG: &str = r#"
with ours as (
  select oid, nspname from pg_namespace where nspname in ('app', 'auth', 'storage', 'public', 'extensions', 'migration')
), relations as (
  select pg_class.*, relnamespace::regnamespace || '.' || relname as name from pg_class
  where relnamespace in (select oid from ours)
), columns as (
  select pg_attribute.*, name, relkind, pg_get_expr(adbin, adrelid) as expression,
    row_number() over (partition by attrelid order by attnum) as place
  from pg_attribute
  join relations on relations.oid = attrelid and relkind in ('r', 'v')
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
)
select format('schema %s of %s: %s', nspname, nspowner::regrole, acl(nspacl, 'n', nspowner)) from pg_namespace
where oid in (select oid from ours)
union all
select format('%s %s of %s %s rls %s %s: %s', case relkind when 'S' then 'sequence' else 'relation' end, name, relowner::regrole,
  reloptions, relrowsecurity, relforcerowsecurity, acl(relacl, case relkind when 'S' then 's' else 'r' end::"char", relowner))
from relations where relkind in ('r', 'v', 'S')
union all
select format('view %s: %s', name, pg_get_viewdef(oid)) from relations where relkind = 'v'
union all
select format('column %s of %s.%s %s null %s %s %s%s %s: %s', place, name, attname, format_type(atttypid, atttypmod), not attnotnull,
  expression, attidentity, attgenerated, case when relkind = 'r' then nullif(attstattarget, -1) end, acl(attacl, 'c', 0)) from columns
union all
select format('constraint %s on %s %s %s', conname, coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text),
  pg_get_constraintdef(oid), convalidated)
from pg_constraint where connamespace in (select oid from ours) and contype <> 'n'
union all
select format('index %s', pg_get_indexdef(indexrelid)) from pg_index where indrelid in (select oid from relations)
union all
select format('policy %s', to_jsonb(pg_policies)) from pg_policies
union all
select format('trigger %s %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
union all
select format('event trigger %s %s', evtname, evtfoid::regproc) from pg_event_trigger
union all
select format('function %s of %s: %s', pg_get_functiondef(oid), proowner::regrole, acl(proacl, 'f', proowner))
from pg_proc where pronamespace in (select oid from ours) and prokind = 'f'
union all
select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
union all
select format('type %s %s of %s: %s', oid::regtype, typbasetype::regtype, typowner::regrole, acl(typacl, 'T', typowner))
from pg_type where typnamespace in (select oid from ours) and typtype = 'd'
union all
select format('operator %s %s %s', oid::regoperator, oprcode, oprrest) from pg_operator where oprnamespace in (select oid from ours)
union all
select format('operator class %s', opcname) from pg_opclass where opcnamespace in (select oid from ours)
union all
select format('default %s %s %s: %s', defaclrole::regrole, defaclnamespace, defaclobjtype, acl(defaclacl, 'f', defaclrole)) from pg_default_acl
union all
select format('migration %s %s', version, checksum) from migration.applied
union all
select format('file %s %s', file, hash) from migration.reapplied
"#;

pub(super) type Lines = BTreeSet<String>;

pub(super) async fn assert_equal(upgraded: &mut PgConnection, new: &mut PgConnection) {
    let new = read(new).await;
    assert!(new.len() > 500, "the catalog has only {} lines", new.len());
    assert_eq!(differences(&new, &read(upgraded).await), Vec::<String>::new());
}

/// The lines that only one of them has.
pub(super) fn differences(before: &Lines, after: &Lines) -> Vec<String> {
    let lost = before.difference(after).map(|line| format!("- {line}"));
    lost.chain(after.difference(before).map(|line| format!("+ {line}"))).collect()
}

pub(super) async fn read(connection: &mut PgConnection) -> Lines {
    // Without acl(), an unset list and an equal explicit one would differ, and so would the order of grants.
    sqlx::raw_sql(
        "create or replace function pg_temp.acl(list aclitem[], kind \"char\", owner oid) returns text language sql as
           'select string_agg(entry::text, chr(32) order by entry::text) from unnest(coalesce(list, case when kind <> ''c'' then acldefault(kind, owner) end)) as entry'",
    )
    .execute(&mut *connection)
    .await
    .expect("create a function");
    let catalog = CATALOG.replace("acl(", "pg_temp.acl(");
    let lines: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(catalog))
        .fetch_all(connection)
        .await
        .expect("read the catalog");
    lines.into_iter().collect()
}
