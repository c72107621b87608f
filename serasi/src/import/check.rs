//! Checks that the names of the dump's objects are free.

use anyhow::{bail, ensure};
use sqlx::PgConnection;

use super::contents::Contents;
use super::report::first_of;
use super::schemas::OWNER;
use super::tokens::Name;

/// The maximum number of objects in a message.
const SHOWN: usize = 8;

const EXISTING: &str = "
select nspname::text, relname::text, relowner::regrole::text from pg_catalog.pg_class
join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
join unnest($1::text[], $2::text[]) as wanted (schema, name) on schema = nspname and wanted.name = relname
union
select nspname::text, proname::text, proowner::regrole::text from pg_catalog.pg_proc
join pg_catalog.pg_namespace on pg_namespace.oid = pronamespace
join unnest($1::text[], $2::text[]) as wanted (schema, name) on schema = nspname and wanted.name = proname
union
select nspname::text, typname::text, typowner::regrole::text from pg_catalog.pg_type
join pg_catalog.pg_namespace on pg_namespace.oid = typnamespace
join unnest($1::text[], $2::text[]) as wanted (schema, name) on schema = nspname and wanted.name = typname
union
select nspname::text, '', nspowner::regrole::text from pg_catalog.pg_namespace
join unnest($1::text[], $2::text[]) as wanted (schema, name) on schema = nspname and wanted.name = ''
order by 1, 2";

/// # Errors
/// When names in the dump are already used, by an earlier import or by Serasi.
pub async fn names(connection: &mut PgConnection, contents: &Contents) -> anyhow::Result<()> {
    let (schemas, names): (Vec<&str>, Vec<&str>) =
        contents.created.iter().map(|name| (name.schema.as_str(), name.name.as_str())).unzip();
    let found: Vec<(String, String, String)> =
        sqlx::query_as(EXISTING).bind(schemas).bind(names).fetch_all(&mut *connection).await?;
    let (imported, ours): (Vec<_>, Vec<_>) = found.into_iter().partition(|(.., owner)| owner == OWNER);
    if !imported.is_empty() {
        let accounts = "select count(*) from auth.users";
        let accounts: i64 = sqlx::query_scalar(accounts).fetch_one(connection).await?;
        bail!(
            "this project was imported already: {} of {} objects of the dump exist ({}), and {accounts} accounts",
            imported.len(),
            contents.created.len(),
            shown(&imported)
        );
    }
    ensure!(
        ours.is_empty(),
        "{} names of the dump are used by Serasi itself ({}): import the schema public under another name with --schema NAME, or rename them in the project and dump it again",
        ours.len(),
        shown(&ours)
    );
    Ok(())
}

fn shown(found: &[(String, String, String)]) -> String {
    let names = found.iter().map(|(schema, name, _)| match name.as_str() {
        "" => format!("schema {schema}"),
        _ => Name { schema: schema.clone(), name: name.clone() }.to_string(),
    });
    first_of(&names.collect::<Vec<_>>(), SHOWN)
}
