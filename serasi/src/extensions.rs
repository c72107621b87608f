//! Extensions of the operator's database. A superuser creates them before a dump that needs them runs.

use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, PgConnection};

use crate::database::statements::execute_format;

/// Not trusted, because nobody asked for it: they only contain triggers and functions on values.
const HARMLESS: [&str; 5] = ["autoinc", "earthdistance", "insert_username", "moddatetime", "refint"];

#[derive(Serialize, Deserialize, sqlx::FromRow, Clone, PartialEq, Eq)]
pub struct Extension {
    pub name: String,
    pub schema: String,
    /// Whether visitors may call all its functions, as in Supabase.
    pub is_exposed: bool,
}

/// The extensions of this database.
///
/// # Errors
/// When the database can't be queried.
pub async fn all(connection: &mut PgConnection) -> sqlx::Result<Vec<Extension>> {
    let found = sqlx::query_as(
        "select extname::pg_catalog.text as name,
           (select nspname::pg_catalog.text from pg_catalog.pg_namespace where oid = extnamespace) as schema,
           (select pg_catalog.bool_and(pg_catalog.has_function_privilege('anon', objid, 'execute')) from pg_catalog.pg_depend
            where refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass and refobjid = pg_extension.oid and deptype = 'e'
              and classid = 'pg_catalog.pg_proc'::pg_catalog.regclass) is true as is_exposed
         from pg_catalog.pg_extension where extname <> 'plpgsql' order by 1",
    );
    found.fetch_all(connection).await
}

/// Whether PostgreSQL trusts the extension. `None` if it does not exist here, or a dump may not have it.
///
/// # Errors
/// When the database can't be queried.
pub async fn is_trusted(connection: &mut PgConnection, name: &str) -> sqlx::Result<Option<bool>> {
    let found = "select bool_or(trusted) from pg_available_extension_versions where name = $1 having bool_or(trusted or $2)";
    sqlx::query_scalar(found).bind(name).bind(HARMLESS.contains(&name)).fetch_optional(connection).await
}

/// Creates the available ones in their schemas, and lets `import_owner` call their functions; visitors, too, if they are exposed.
/// Returns the names of the others.
///
/// # Errors
/// When one can't be created.
pub async fn create(connection: &mut PgConnection, wanted: &[Extension]) -> anyhow::Result<Vec<String>> {
    let mut left_out = Vec::new();
    for extension in wanted {
        if is_trusted(connection, &extension.name).await?.is_none() {
            left_out.push(extension.name.clone());
            continue;
        }
        let create = "create schema if not exists %2$I authorization import_owner; create extension if not exists %1$I schema %2$I";
        execute_format(connection, create, &[&extension.name, &extension.schema]).await?;
        grant(connection, extension).await?;
    }
    Ok(left_out)
}

async fn grant(connection: &mut PgConnection, extension: &Extension) -> anyhow::Result<()> {
    let callers =
        if extension.is_exposed { "import_owner, anon, authenticated, service_role" } else { "import_owner" };
    let grants: Vec<String> = sqlx::query_scalar(
        "select format('grant execute on function %s to ', objid::regprocedure) from pg_depend
         join pg_extension on pg_extension.oid = refobjid
         where refclassid = 'pg_extension'::regclass and classid = 'pg_proc'::regclass and deptype = 'e' and extname = $1
         union all select format('grant usage on schema %s to ', extnamespace::regnamespace) from pg_extension where extname = $1",
    )
    .bind(&extension.name)
    .fetch_all(&mut *connection)
    .await?;
    let grants: Vec<String> = grants.into_iter().map(|grant| grant + callers).collect();
    sqlx::raw_sql(AssertSqlSafe(grants.join(";"))).execute(connection).await?;
    Ok(())
}
