//! Copies the project's own schemas from the scratch database with `pg_dump` and `pg_restore`, as `import_owner`.

use anyhow::Context;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::platform::SCHEMAS;
use super::project::Project;
use super::scratch::Scratch;
use crate::backup::{pg_dump, toc};
use crate::database::Database;
use crate::programs::Programs;
use crate::{extensions, import_owner};

pub struct Schemas<'a> {
    pub database: &'a Database,
    pub programs: &'a Programs,
    pub scratch: &'a Scratch,
    pub project: &'a Project,
}

impl Schemas<'_> {
    /// `loaded`: a connection to the scratch database. `new_extensions`: gets the names of the extensions that this creates.
    ///
    /// # Errors
    /// When something can't be copied. The caller removes the rest.
    pub async fn copy(
        &self,
        loaded: &mut PgConnection,
        admin: &mut PgConnection,
        new_extensions: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        let dump = tempfile::tempfile().context("there is no temporary folder")?;
        let options = SCHEMAS.map(|schema| format!("--exclude-schema={schema}"));
        let dumped = pg_dump::dump(self.programs, &self.scratch.url, &dump, options).await;
        dumped.context("the loaded dump can't be read")?;
        let toc = pg_dump::list(self.programs, &dump).await?;
        let wanted = &self.project.extensions;
        let schemas: Vec<&str> = wanted.iter().map(|extension| extension.schema.as_str()).collect();
        let selection = toc::operators_objects(&toc, &schemas);
        let mut login = import_owner::sign_in(self.database).await?;
        let url = login.url.clone();
        let restored = async {
            let before = extensions::all(admin).await?;
            let is_new = |name: &String| before.iter().all(|extension| extension.name != *name);
            new_extensions.extend(wanted.iter().map(|extension| extension.name.clone()).filter(is_new));
            extensions::create(admin, wanted).await?;
            pg_dump::restore(self.programs, &url, &dump, &selection.list).await
        };
        let restored = tokio::select! {
            restored = restored => restored,
            overrun = login.overruns() => overrun.map(|never| match never {}),
        };
        import_owner::sign_out(self.database, login).await?;
        restored?;
        let grants: Vec<String> = sqlx::query_scalar(
            "select format('grant usage on schema %I to serasi_owner', nspname) from pg_namespace
             where nspowner = 'import_owner'::regrole",
        )
        .fetch_all(&mut *admin)
        .await?;
        for grant in grants {
            admin.execute(AssertSqlSafe(grant)).await?;
        }
        for statement in import_owner::on_our_tables(loaded, true).await?.create(admin, false).await? {
            println!("  left out, because {}: {statement}", import_owner::WHY_LEFT_OUT);
        }
        Ok(())
    }
}
