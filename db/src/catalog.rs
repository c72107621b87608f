//! The functions, views, triggers and policies that a database has, and how to remove them without `cascade`.

use std::collections::BTreeSet;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::error::{MigrationError, Result};

/// An object of the catalog. Functions with the same name and different parameters are separate objects.
#[derive(sqlx::FromRow)]
pub(crate) struct Found {
    pub(crate) object: String,
    class: i64,
    oid: i64,
    /// The kind and the full name, for `drop`.
    identity: String,
    /// The transaction that wrote it last.
    written_by: String,
}

impl Found {
    fn key(&self) -> (i64, i64) {
        (self.class, self.oid)
    }
}

/// Serasi's own objects: those in its schemas that its owner role owns, and the triggers and policies on its tables that the operator
/// did not create. `serasi.reset_access` creates the policies of service_role, serasi_owner and the services, not a file.
const FOUND: &str = "
with relations as (
  select pg_class.oid, relkind, relname, nspname, pg_class.xmin
  from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where nspowner = relowner and relkind in ('r', 'p', 'v')
    and relowner = pg_catalog.to_regrole('serasi_owner')
)
select 'function ' || nspname || '.' || proname as object, 'pg_catalog.pg_proc'::regclass::oid::bigint as class, pg_proc.oid::bigint,
  'function ' || pg_proc.oid::regprocedure as identity, pg_proc.xmin::text as written_by
from pg_catalog.pg_proc join pg_catalog.pg_namespace on pg_namespace.oid = pronamespace
where nspowner = proowner and proowner = pg_catalog.to_regrole('serasi_owner')
union all
select 'view ' || nspname || '.' || relname, 'pg_catalog.pg_class'::regclass::oid::bigint, oid::bigint,
  'view ' || oid::regclass, xmin::text
from relations where relkind = 'v'
union all
select 'trigger ' || tgname || ' on ' || nspname || '.' || relname, 'pg_catalog.pg_trigger'::regclass::oid::bigint, pg_trigger.oid::bigint,
  format('trigger %I on %s', tgname, tgrelid::regclass), pg_trigger.xmin::text
from pg_catalog.pg_trigger join relations on relations.oid = tgrelid where not tgisinternal
  and 't' || pg_trigger.oid not in (select key from migration.kept)
union all
select 'policy ' || polname || ' on ' || nspname || '.' || relname, 'pg_catalog.pg_policy'::regclass::oid::bigint, pg_policy.oid::bigint,
  format('policy %I on %s', polname, polrelid::regclass), pg_policy.xmin::text
from pg_catalog.pg_policy join relations on relations.oid = polrelid
where 'p' || pg_policy.oid not in (select key from migration.kept)
  and polname not in ('the service key does all', 'the owner of the schema does all', 'the service of the schema does all')";

/// The given objects and everything that depends on them, the latter first. A view depends through its rule, and objects that
/// use a view's row depend through its type.
const DEPENDENTS: &str = "
with recursive doomed (class, oid, depth) as (
  select class, oid, 0 from unnest($1::bigint[], $2::bigint[]) as given (class, oid)
  union
  select dependent.class, dependent.oid, depth + 1
  from doomed
  join pg_catalog.pg_depend on refclassid = doomed.class::oid and refobjid = doomed.oid::oid
  left join pg_catalog.pg_rewrite on classid = 'pg_catalog.pg_rewrite'::regclass and pg_rewrite.oid = objid
  cross join lateral (select case when ev_class is null then classid else 'pg_catalog.pg_class'::regclass::oid end::bigint as class,
    coalesce(ev_class, objid)::bigint as oid) as dependent
  where (dependent.class, dependent.oid) <> (doomed.class, doomed.oid) and depth < 50
)
select class, oid from doomed group by class, oid order by max(depth) desc";

pub(crate) async fn found(connection: &mut PgConnection) -> Result<Vec<Found>, sqlx::Error> {
    sqlx::query_as(FOUND).fetch_all(connection).await
}

/// Revokes privileges on functions that earlier versions of the files granted.
pub(crate) async fn reset_functions(connection: &mut PgConnection, objects: &BTreeSet<String>) -> Result {
    let found = found(&mut *connection).await?;
    let functions: Vec<&str> = found
        .iter()
        .filter(|found| objects.contains(&found.object))
        .filter_map(|found| found.identity.strip_prefix("function "))
        .collect();
    if !functions.is_empty() {
        let statement = format!(
            "revoke all on function {} from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin, functions_admin, developer",
            functions.join(", ")
        );
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
    }
    Ok(())
}

/// Functions of these names that no statement has touched between `before` and `after`: earlier versions had
/// them with other parameters.
pub(crate) fn outdated<'a>(
    before: &[Found],
    after: &'a [Found],
    objects: &BTreeSet<String>,
) -> Vec<&'a Found> {
    let unchanged = |found: &Found| {
        before.iter().any(|old| old.key() == found.key() && old.written_by == found.written_by)
    };
    let functions = after.iter().filter(|found| found.object.starts_with("function "));
    functions.filter(|found| objects.contains(&found.object) && unchanged(found)).collect()
}

/// Drops these objects and, if `dependents`, all views, functions, triggers and policies that depend on them. Nothing is dropped with
/// `cascade`: an object that something else depends on is an error.
pub(crate) async fn drop_objects(
    connection: &mut PgConnection,
    objects: &[&Found],
    dependents: bool,
) -> Result {
    let (classes, oids): (Vec<i64>, Vec<i64>) = objects.iter().map(|found| found.key()).unzip();
    let given: BTreeSet<(i64, i64)> = objects.iter().map(|found| found.key()).collect();
    let doomed: Vec<(i64, i64)> =
        sqlx::query_as(DEPENDENTS).bind(classes).bind(oids).fetch_all(&mut *connection).await?;
    let all = found(&mut *connection).await?;
    for key in doomed.into_iter().filter(|key| dependents || given.contains(key)) {
        let Some(found) = all.iter().find(|found| found.key() == key) else { continue };
        let statement = format!("drop {}", found.identity);
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut *connection)
            .await
            .map_err(|error| MigrationError::NotRemovable { object: found.identity.clone(), error })?;
    }
    Ok(())
}
