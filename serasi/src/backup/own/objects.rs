//! Detects whether a database has objects that Serasi did not create.

use sqlx::PgConnection;

use crate::import::{OUR_OWNER, OURS};

/// Extensions that migrations create.
const OUR_EXTENSIONS: [&str; 4] = ["plpgsql", "pg_trgm", "pgcrypto", "uuid-ossp"];

/// Looks for schemas other than Serasi's and PostgreSQL's, objects in `public` that Serasi does not own, imported policies and
/// triggers on Serasi's tables, and extensions in the schema `extensions`. Ignores objects that belong to an extension.
const EXIST: &str = "
with own_roles as (select oid from pg_catalog.pg_roles where rolname <> $2),
in_public (class, object, owner) as (
  select 'pg_catalog.pg_class'::regclass, oid, relowner from pg_catalog.pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c')
  union all
  select 'pg_catalog.pg_proc'::regclass, oid, proowner from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'pg_catalog.pg_type'::regclass, oid, typowner from pg_catalog.pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r')
  union all
  select 'pg_catalog.pg_operator'::regclass, oid, oprowner from pg_catalog.pg_operator where oprnamespace = 'public'::regnamespace
  union all
  select 'pg_catalog.pg_collation'::regclass, oid, collowner from pg_catalog.pg_collation where collnamespace = 'public'::regnamespace
  union all
  select 'pg_catalog.pg_ts_config'::regclass, oid, cfgowner from pg_catalog.pg_ts_config where cfgnamespace = 'public'::regnamespace
  union all
  select 'pg_catalog.pg_ts_dict'::regclass, oid, dictowner from pg_catalog.pg_ts_dict where dictnamespace = 'public'::regnamespace
),
members as (select classid, objid from pg_catalog.pg_depend where deptype = 'e')
select exists (
  select from pg_catalog.pg_namespace
  where nspname <> all ($1) and nspname not in ('public', 'information_schema') and nspname !~ '^pg_'
    and not exists (select from members where classid = 'pg_catalog.pg_namespace'::regclass and objid = pg_namespace.oid)
) or exists (
  select from in_public join own_roles on own_roles.oid = owner
  where not exists (select from members where classid = class and objid = object)
) or exists (
  select from pg_catalog.pg_policy where pg_catalog.obj_description(oid, 'pg_policy') = 'imported by serasi'
) or exists (
  select from pg_catalog.pg_trigger join pg_catalog.pg_class on pg_class.oid = tgrelid
  join pg_catalog.pg_proc on pg_proc.oid = tgfoid join own_roles on own_roles.oid = proowner
  where not tgisinternal and relnamespace::regnamespace::text in ('auth', 'storage')
    and pronamespace::regnamespace::text <> all ($1) and pronamespace <> 'pg_catalog'::regnamespace
) or exists (
  select from pg_catalog.pg_extension where extnamespace = pg_catalog.to_regnamespace('extensions') and extname <> all ($3)
)";

/// Whether the database has objects of the operator.
///
/// # Errors
/// When the query fails.
pub async fn exist(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar(EXIST)
        .bind(&OURS[..])
        .bind(OUR_OWNER)
        .bind(&OUR_EXTENSIONS[..])
        .fetch_one(connection)
        .await
}
