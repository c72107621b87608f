//! What an upgrade does differently without a superuser, as on managed servers.

use sqlx::PgConnection;

/// Serializes changes of roles by all databases of a cluster. No request waits for these locks. Only superusers may take them: without
/// them, a statement can fail because another database changes the same role.
///
/// # Errors
/// When another transaction keeps its locks.
pub async fn lock_roles(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(
        "set local lock_timeout = '10s';
         do $$ begin
           if pg_catalog.has_table_privilege('pg_catalog.pg_authid', 'update') then
             lock table pg_catalog.pg_authid, pg_catalog.pg_db_role_setting in share row exclusive mode;
           end if;
         end $$",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The operator class of searchable text, and the one without leakproof operators: only a superuser can create such
/// (`marketplace/01_label.sql`).
const LABEL_TRIGRAMS: [&str; 2] = ["app.label_trigrams", "extensions.gin_trgm_ops"];

const HAS_LABEL_TRIGRAMS: &str = "
select case when pg_catalog.to_regtype('app.label') is null
  then (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
  else exists (select from pg_catalog.pg_opclass where opcname = 'label_trigrams') end";

/// A step that uses the operator class that this database has.
///
/// # Errors
/// When the query fails.
pub(crate) async fn with_operator_class(
    connection: &mut PgConnection,
    sql: &str,
) -> Result<String, sqlx::Error> {
    let has_label_trigrams: bool = sqlx::query_scalar(HAS_LABEL_TRIGRAMS).fetch_one(connection).await?;
    Ok(match has_label_trigrams {
        true => sql.to_owned(),
        false => sql.replace(LABEL_TRIGRAMS[0], LABEL_TRIGRAMS[1]),
    })
}
