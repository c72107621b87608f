//! Extensions of the dump.

use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::source::LeftOut;
use super::tokens::Name;

/// Creates an extension, and lets the role of the import call its functions. Only trusted extensions in the schema `extensions`
/// are created. If it did not exist, its name is added to `created`. Grants that let the API's roles call its
/// functions, as in Supabase, are added to `grants`.
///
/// # Errors
/// When it can't be created.
pub async fn add(
    admin: &mut PgConnection,
    extension: &Name,
    created: &mut Vec<String>,
    grants: &mut Vec<String>,
) -> anyhow::Result<Option<LeftOut>> {
    let left = |why| Some(LeftOut { kind: "extension".into(), name: extension.name.clone(), why });
    let found: Option<(String, bool)> = sqlx::query_as(
        "select quote_ident(name), exists (select from pg_catalog.pg_extension where extname = name)
         from pg_catalog.pg_available_extension_versions where name = $1 and (trusted or installed) limit 1",
    )
    .bind(&extension.name)
    .fetch_optional(&mut *admin)
    .await?;
    let Some((quoted, exists)) = found else {
        return Ok(left("left out: it is not available; tables and functions that use it can't be imported"));
    };
    if extension.schema != "extensions" {
        return Ok(left(
            "left out: only extensions in the schema extensions are created; move it there before you make the dump",
        ));
    }
    if !exists {
        admin.execute(AssertSqlSafe(format!("create extension {quoted} schema extensions"))).await?;
        created.push(quoted);
    }
    let functions: Vec<String> = sqlx::query_scalar(
        "select 'grant execute on function ' || objid::regprocedure
         from pg_catalog.pg_depend join pg_catalog.pg_extension on pg_extension.oid = refobjid
         where refclassid = 'pg_catalog.pg_extension'::regclass and classid = 'pg_catalog.pg_proc'::regclass
           and deptype = 'e' and extname = $1",
    )
    .bind(&extension.name)
    .fetch_all(&mut *admin)
    .await?;
    let own: Vec<String> = functions.iter().map(|grant| format!("{grant} to import_owner")).collect();
    sqlx::raw_sql(AssertSqlSafe(own.join(";"))).execute(&mut *admin).await?;
    grants.extend(functions.iter().map(|grant| format!("{grant} to anon, authenticated, service_role")));
    grants.push("grant usage on schema extensions to anon, authenticated, service_role".to_owned());
    Ok(None)
}
