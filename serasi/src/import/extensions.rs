//! Creates the extensions of a dump.

use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::contents::{Contents, LeftOut};
use super::schemas::Origin;
use super::tokens::Name;

const FUNCTIONS: &str = "
select 'grant execute on function ' || objid::regprocedure, proname::text
from pg_catalog.pg_depend join pg_catalog.pg_extension on pg_extension.oid = refobjid
join pg_catalog.pg_proc on pg_proc.oid = objid
where refclassid = 'pg_catalog.pg_extension'::regclass and classid = 'pg_catalog.pg_proc'::regclass
  and deptype = 'e' and extname = $1";

/// The extensions that a dump needs.
pub struct Wanted<'a> {
    pub origin: Origin,
    pub contents: &'a Contents,
    /// Extensions that the import created.
    pub created: &'a mut Vec<String>,
    /// Statements that let the API's roles call functions of extensions, as in Supabase.
    pub grants: &'a mut Vec<String>,
}

impl Wanted<'_> {
    /// Creates an extension if it is trusted and in the schema `extensions`, and lets `import_owner` call its functions. Returns a
    /// line for the report if the extension is left out.
    ///
    /// # Errors
    /// When it can't be created.
    pub async fn add(
        &mut self,
        admin: &mut PgConnection,
        extension: &Name,
    ) -> anyhow::Result<Option<LeftOut>> {
        let left = |why| {
            let of_backup =
                "left out: create it in the new database before the restore, if your tables need it";
            let why = if self.origin == Origin::Backup { of_backup } else { why };
            Some(LeftOut { kind: "extension".into(), name: extension.name.clone(), why })
        };
        let found: Option<(String, bool, bool)> = sqlx::query_as(
            "select quote_ident(name), exists (select from pg_catalog.pg_extension where extname = name), bool_or(trusted)
             from pg_catalog.pg_available_extension_versions where name = $1 and (trusted or installed) group by name",
        )
        .bind(&extension.name)
        .fetch_optional(&mut *admin)
        .await?;
        let Some((quoted, exists, is_trusted)) = found else {
            return Ok(left(
                "left out: it is not available here; tables and functions that use it can't be imported",
            ));
        };
        // Before a restore, the operator may have created the extension in another schema.
        let may_be_elsewhere = exists && self.origin == Origin::Backup;
        if extension.schema != "extensions" && !may_be_elsewhere {
            return Ok(left(
                "left out: only extensions in the schema extensions are created; move it there before the dump",
            ));
        }
        if !exists {
            admin.execute(AssertSqlSafe(format!("create extension {quoted} schema extensions"))).await?;
            self.created.push(quoted);
        }
        // A function of an untrusted extension may read the server's files for every role that may call it.
        if is_trusted || self.origin == Origin::Supabase {
            self.grant(admin, extension).await?;
        }
        Ok(None)
    }

    async fn grant(&mut self, admin: &mut PgConnection, extension: &Name) -> anyhow::Result<()> {
        let functions: Vec<(String, String)> =
            sqlx::query_as(FUNCTIONS).bind(&extension.name).fetch_all(&mut *admin).await?;
        let own: Vec<String> =
            functions.iter().map(|(grant, _)| format!("{grant} to import_owner")).collect();
        sqlx::raw_sql(AssertSqlSafe(own.join(";"))).execute(&mut *admin).await?;
        let callers = "to anon, authenticated, service_role";
        // A newer PostgreSQL may have added functions to an extension. The backup does not grant those.
        let is_exposed = |name: &String| match self.origin {
            Origin::Supabase => true,
            Origin::Backup => self.contents.exposed.contains(name),
        };
        let before = self.grants.len();
        let exposed = functions.iter().filter(|(_, name)| is_exposed(name));
        self.grants.extend(exposed.map(|(grant, _)| format!("{grant} {callers}")));
        if self.origin == Origin::Supabase || self.grants.len() > before {
            self.grants.push(format!("grant usage on schema extensions {callers}"));
        }
        Ok(())
    }
}
