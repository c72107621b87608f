//! What a loaded dump contains. All queries run as the login without rights that loaded it.

use std::collections::BTreeSet;

use anyhow::{Context, bail, ensure};
use sqlx::{AssertSqlSafe, PgConnection};

use super::platform::{SCHEMAS, is_platform, why_left};
use super::report::{Report, first_of};
use super::scratch::Scratch;
use crate::extensions::{self, Extension};
use crate::import_owner::OURS;

/// The maximum number of objects in a message.
const SHOWN: usize = 8;
/// PostgreSQL's limit for names, in bytes.
const LONGEST: usize = 63;

/// The project's own relations, functions, types and schemas.
const NAMES: &str = "
with own as (select oid, nspname from pg_namespace where nspname <> all (string_to_array($1, '|')) and nspname !~ '^pg_' and nspname <> 'information_schema'),
members as (select objid from pg_depend where deptype = 'e')
select format('%I.%I', nspname, relname) from pg_class join own on own.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and pg_class.oid not in (select objid from members)
union select format('%I.%I', nspname, proname) from pg_proc join own on own.oid = pronamespace where pg_proc.oid not in (select objid from members)
union select format('%I.%I', nspname, typname) from pg_type join own on own.oid = typnamespace
  where typtype in ('e', 'd', 'r') and pg_type.oid not in (select objid from members)
union select format('schema %I', nspname) from own where nspname <> 'public'";

const TABLES: &str = "
select nspname::text, relname::text, relrowsecurity from pg_class join pg_namespace on pg_namespace.oid = relnamespace
where relkind = 'r' and nspname !~ '^pg_' and nspname <> 'information_schema'
  and pg_class.oid not in (select objid from pg_depend where deptype = 'e') order by 1, 2";

/// Changes qualified names and search paths in the bodies of functions. PostgreSQL changes all other names by itself.
const RENAME_IN_BODIES: &str = r#"
do $rename$
declare
  definition text;
begin
  for definition in
    select pg_get_functiondef(pg_proc.oid) from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    join pg_language on pg_language.oid = prolang
    where prokind in ('f', 'p') and lanname in ('sql', 'plpgsql') and prosqlbody is null and nspname !~ '^pg_' and nspname <> 'information_schema'
      and (prosrc || coalesce(proconfig::text, '')) ~* '\mpublic\M' and pg_proc.oid not in (select objid from pg_depend where deptype = 'e')
  loop
    definition := regexp_replace(definition, '(?<![.\w''])("public"|\mpublic)(?=\s*\.)', 'NEW_NAME', 'gi');
    definition := regexp_replace(definition, '(SET search_path TO [^\n]*)''public''', '\1''NEW_NAME''', 'g');
    execute regexp_replace(definition, '(SET search_path TO [^\n]*)"public"', '\1"NEW_NAME"', 'g');
  end loop;
end $rename$"#;

pub struct Project {
    /// The names of the project's own tables, and the numbers of their rows.
    pub tables: Vec<(String, u64)>,
    pub extensions: Vec<Extension>,
}

/// # Errors
/// When the name would need quotes, or is the name of a schema of the platform or of Serasi.
pub fn check_new_name(name: &str) -> anyhow::Result<()> {
    let mut letters = name.bytes();
    let is_plain = letters.next().is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_')
        && name.len() <= LONGEST;
    ensure!(is_plain, "--schema takes a name of lower-case letters, digits and underscores, not {name:?}");
    let is_taken = name == "public"
        || name == "information_schema"
        || name.starts_with("pg_")
        || is_platform(name)
        || OURS.contains(&name);
    ensure!(!is_taken, "--schema can't be {name}: choose another name");
    Ok(())
}

/// Renames the schema `public`, also in the bodies of functions.
///
/// # Errors
/// When there is such a schema already, or a function can't be changed.
pub async fn rename_public(scratch: &mut PgConnection, name: &str) -> anyhow::Result<()> {
    let statements = format!(
        "set check_function_bodies = off; alter schema public rename to {name};
         grant usage on schema {name} to anon, authenticated, service_role;"
    );
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut *scratch).await?;
    let bodies = RENAME_IN_BODIES.replace("NEW_NAME", name);
    sqlx::raw_sql(AssertSqlSafe(bodies)).execute(scratch).await.context("a function can't be renamed")?;
    Ok(())
}

/// # Errors
/// When it is not a Supabase project.
pub async fn check(scratch: &mut PgConnection) -> anyhow::Result<()> {
    let is_project = "select to_regclass('auth.users') is not null";
    let is_project: bool = sqlx::query_scalar(is_project).fetch_one(scratch).await?;
    ensure!(
        is_project,
        "this is not a dump of a Supabase project: it has no table auth.users; dump the schemas auth, storage and public"
    );
    Ok(())
}

impl Project {
    /// Reports what is left out, and what is open to everybody.
    ///
    /// # Errors
    /// When a table can't be read.
    pub async fn read(scratch: &mut PgConnection, report: &mut Report) -> anyhow::Result<Self> {
        let found: Vec<(String, String, bool)> = sqlx::query_as(TABLES).fetch_all(&mut *scratch).await?;
        let mut tables = Vec::new();
        for (schema, name, is_secured) in found {
            let rows = count(scratch, &schema, &name).await?;
            let shown = format!("{schema}.{name}");
            if is_platform(&schema) {
                let is_imported = super::rows::TABLES.iter().any(|(table, ..)| *table == shown);
                if let Some(why) = why_left(&schema, &name).filter(|_| rows > 0 && !is_imported) {
                    report.leave(
                        if rows == 1 { "1 row of".into() } else { format!("{rows} rows of") },
                        shown,
                        why,
                    );
                }
                continue;
            }
            if !is_secured {
                report.open_tables.push(shown.clone());
            }
            tables.push((shown, rows));
        }
        let publications = "select 'publication ' || pubname from pg_publication";
        let publications: Vec<String> = sqlx::query_scalar(publications).fetch_all(&mut *scratch).await?;
        publications.iter().for_each(|publication| report.leave_unknown(publication));
        let mut extensions = extensions::all(scratch).await?;
        // As in Supabase, visitors may call their functions.
        extensions.iter_mut().for_each(|extension| extension.is_exposed = true);
        Ok(Self { tables, extensions })
    }
}

/// The number of rows of a table.
///
/// # Errors
/// When it can't be read.
async fn count(connection: &mut PgConnection, schema: &str, name: &str) -> anyhow::Result<u64> {
    let count = "select format('select count(*) from only %I.%I', $1::text, $2::text)";
    let count: String = sqlx::query_scalar(count).bind(schema).bind(name).fetch_one(&mut *connection).await?;
    let rows: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(connection).await?;
    Ok(u64::try_from(rows)?)
}

/// Moves extensions to the schemas in which Serasi has them, so that the project's objects refer to those.
///
/// # Errors
/// When one can't be moved.
pub async fn move_extensions(
    scratch: &Scratch,
    target: &mut PgConnection,
    project: &mut Project,
) -> anyhow::Result<()> {
    let ours = extensions::all(target).await?;
    for extension in &mut project.extensions {
        let elsewhere = |own: &&Extension| own.name == extension.name && own.schema != extension.schema;
        if let Some(own) = ours.iter().find(elsewhere) {
            scratch.move_extension(&own.name, &own.schema).await?;
            extension.schema.clone_from(&own.schema);
        }
    }
    Ok(())
}

/// # Errors
/// When names of the project are already used, by an earlier import or by Serasi.
pub async fn check_names(scratch: &mut PgConnection, target: &mut PgConnection) -> anyhow::Result<()> {
    let (objects, accounts): (i64, i64) = sqlx::query_as(
        "select (select count(*) from pg_shdepend join pg_database on pg_database.oid = dbid
             where datname = current_database() and deptype = 'o' and refobjid = to_regrole('import_owner'))
           + (select count(*) from pg_policy where obj_description(oid, 'pg_policy') = 'imported by serasi'),
           (select count(*) from auth.users)",
    )
    .fetch_one(&mut *target)
    .await?;
    if objects > 0 {
        bail!(
            "this project was imported already, or another one: {objects} imported objects exist, and {accounts} accounts; a database takes one import"
        );
    }
    let wanted: Vec<String> = sqlx::query_scalar(NAMES).bind(SCHEMAS).fetch_all(&mut *scratch).await?;
    // All schemas of the target count.
    let used: Vec<String> = sqlx::query_scalar(NAMES).bind("").fetch_all(target).await?;
    let used: BTreeSet<String> = used.into_iter().collect();
    let taken: Vec<String> = wanted.into_iter().filter(|name| used.contains(name)).collect();
    ensure!(
        taken.is_empty(),
        "{} names of the dump are used by Serasi itself ({}): import the schema public under another name with --schema NAME, or rename them in the project and dump it again",
        taken.len(),
        first_of(&taken, SHOWN, ", ")
    );
    Ok(())
}
