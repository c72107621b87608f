//! Objects on Serasi's tables and views that an operator created. An upgrade keeps them, or stops.

use sqlx::{AssertSqlSafe, PgConnection};

use crate::error::{MigrationError, Result};
use crate::release::Release;

/// Every object on Serasi's tables and views, and what others have created elsewhere, with a description and a key that a renamed
/// object keeps. Privileges of Serasi's roles are not included: the files decide about them.
const NOW: &str = r#"
with ours as (
  select pg_class.oid, relkind, relacl, relowner from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where nspowner = relowner and relkind in ('r', 'p', 'v') and relowner = to_regrole('serasi_owner')
), privileges as (
  select oid::regclass::text as subject, relacl as acl from ours
  union all select format('%s(%I)', oid::regclass, attname), attacl from ours join pg_catalog.pg_attribute on attrelid = oid
  union all select oid::regprocedure::text, proacl from pg_catalog.pg_proc where proowner = to_regrole('serasi_owner')
), now (object, key) as (
select format('trigger %I on %s', tgname, tgrelid::regclass), 't' || pg_trigger.oid as key
from pg_catalog.pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
union all
select format('policy %I on %s', polname, polrelid::regclass), 'p' || pg_policy.oid
from pg_catalog.pg_policy join ours on ours.oid = polrelid
union all
select format('rule %I on %s', rulename, ev_class::regclass), 'r' || pg_rewrite.oid
from pg_catalog.pg_rewrite join ours on ours.oid = ev_class where rulename <> '_RETURN'
union all
select format('constraint %I on %s', conname, conrelid::regclass), 'c' || pg_constraint.oid
from pg_catalog.pg_constraint join ours on ours.oid = conrelid where contype <> 'n'
union all
select format('index %s on %s', indexrelid::regclass, indrelid::regclass), 'i' || indexrelid
from pg_catalog.pg_index join ours on ours.oid = indrelid
union all
select format('column %I of %s', attname, attrelid::regclass), 'a' || attrelid || '.' || attnum
from pg_catalog.pg_attribute join ours on ours.oid = attrelid where attnum > 0 and not attisdropped and relkind <> 'v'
union all
select format('statistics %I.%I', stxnamespace::regnamespace, stxname), 's' || pg_statistic_ext.oid
from pg_catalog.pg_statistic_ext join ours on ours.oid = stxrelid
union all
select format('%s in publication %I', prrelid::regclass, pubname), 'u' || pg_publication_rel.oid
from pg_catalog.pg_publication_rel join pg_catalog.pg_publication on pg_publication.oid = prpubid join ours on ours.oid = prrelid
union all
select format('comment on %s', pg_describe_object(classoid, objoid, objsubid)), 'd' || objoid || '.' || objsubid
from pg_catalog.pg_description join ours on ours.oid = objoid where classoid = 'pg_class'::regclass
union all
select format('privilege %s on %s of %s', privilege_type, subject, grantee::regrole),
  format('g%s.%s.%s', privilege_type, subject, grantee)
from privileges cross join aclexplode(acl)
where grantee <> 0 and grantee::regrole::text not in
  ('serasi_owner', 'anon', 'authenticated', 'service_role', 'authenticator', 'auth_admin', 'storage_admin', 'functions_admin', 'import_owner')
union all
select 'function ' || oid::regprocedure, 'f' || oid from pg_catalog.pg_proc
where proowner is distinct from to_regrole('serasi_owner') and pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'app', 'serasi')
  and not exists (select from pg_catalog.pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
union all
select 'relation ' || oid::regclass, 'o' || oid from pg_catalog.pg_class
where relowner is distinct from to_regrole('serasi_owner') and relkind in ('r', 'p', 'v', 'm')
  and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'migration')
  and relnamespace::regnamespace::text !~ '^pg_'
)
"#;

/// Records what the operator created before this upgrade. The first upgrade that records knows no other way than the owner of a
/// trigger's function and the mark of imported policies.
const FIND: &str = r#"
insert into migration.kept (object, key)
select object, key from now
where case when exists (select from migration.objects) then not exists (select from migration.objects as ours where ours.object = now.object)
  else key ~ '^[fogu]' or key in (
    select 't' || pg_trigger.oid from pg_catalog.pg_trigger join pg_catalog.pg_proc on pg_proc.oid = tgfoid where proowner <> to_regrole('serasi_owner')
    union all select 'p' || oid from pg_catalog.pg_policy where obj_description(oid, 'pg_policy') = 'imported by serasi') end"#;

const LOST: &str = "select object from migration.kept
  where not exists (select from now where now.key = kept.key or now.object = kept.object) order by 1";

const RECORD: &str = ", gone as (delete from migration.objects where not exists (select from now where now.object = objects.object))
insert into migration.objects (object)
select distinct object from now where not exists (select from migration.kept where kept.object = now.object or kept.key = now.key)
on conflict do nothing";

/// Finds the operator's objects.
///
/// # Errors
/// When one has the name of an object of the release, which would replace it.
pub(crate) async fn find(connection: &mut PgConnection, release: &Release) -> Result {
    let find = format!("delete from migration.kept; {NOW} {FIND}");
    sqlx::raw_sql(AssertSqlSafe(find)).execute(&mut *connection).await?;
    let names: Vec<String> = release.objects().into_iter().collect();
    let taken = sqlx::query_scalar(
        "select object from migration.kept where replace(object, '\"', '') = any ($1) order by 1",
    );
    refuse(taken.bind(names).fetch_all(connection).await?)
}

/// An online step (`$1`) does not name the object.
const IS_BESIDE: &str = r#"strpos($1, regexp_replace(split_part(object, ' ', 2), '^.*\.|"', '', 'g')) = 0"#;

/// Records what the operator created or dropped while an online step ran: everything that the step does not name.
///
/// # Errors
/// When a statement fails.
pub(crate) async fn find_beside(connection: &mut PgConnection, step: &str) -> Result<(), sqlx::Error> {
    let find = format!(
        "{NOW} insert into migration.kept (object, key)
         select object, key from now
         where not exists (select from migration.objects as ours where ours.object = now.object)
           and {IS_BESIDE}
         on conflict do nothing"
    );
    sqlx::query(AssertSqlSafe(find)).bind(step).execute(&mut *connection).await?;
    let dropped = format!(
        "{NOW} delete from migration.kept
         where not exists (select from now where now.key = kept.key or now.object = kept.object) and {IS_BESIDE}"
    );
    sqlx::query(AssertSqlSafe(dropped)).bind(step).execute(connection).await.map(drop)
}

/// Compares the operator's objects with those of the upgraded database, and records Serasi's.
///
/// # Errors
/// When one is gone.
pub(crate) async fn check(connection: &mut PgConnection) -> Result {
    let lost = sqlx::query_scalar(AssertSqlSafe(format!("{NOW} {LOST}")));
    refuse(lost.fetch_all(&mut *connection).await?)?;
    sqlx::raw_sql(AssertSqlSafe(format!("{NOW} {RECORD}"))).execute(connection).await?;
    Ok(())
}

fn refuse(objects: Vec<String>) -> Result {
    if objects.is_empty() { Ok(()) } else { Err(MigrationError::NotKept(objects.join(", "))) }
}
