//! Copies the project's own schemas from the scratch database with `pg_dump` and `pg_restore`, as `import_owner`.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, ensure};
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::platform::SCHEMAS;
use super::project::Project;
use super::scratch::Scratch;
use crate::backup::{pg_restore, toc};
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
        let file = tempfile::NamedTempFile::new().context("there is no temporary folder")?;
        self.pg_dump(file.reopen()?).await?;
        let login = import_owner::sign_in(self.database).await?;
        let restored = async {
            let before = extensions::all(admin).await?;
            let is_new = |name: &String| before.iter().all(|extension| extension.name != *name);
            let names = self.project.extensions.iter().map(|extension| extension.name.clone());
            new_extensions.extend(names.filter(is_new));
            extensions::create(admin, &self.project.extensions).await?;
            self.pg_restore(&login.url, file.path()).await
        };
        let restored: anyhow::Result<()> = restored.await;
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

    async fn pg_dump(&self, to: std::fs::File) -> anyhow::Result<()> {
        let mut pg_dump = self.programs.command("pg_dump", &self.scratch.url)?;
        pg_dump.args(["--format=custom", "--compress=1", "--encoding=UTF8", "--no-password", "--no-blobs"]);
        pg_dump.args(SCHEMAS.map(|schema| format!("--exclude-schema={schema}")));
        pg_dump.stdin(Stdio::null()).stdout(to).stderr(Stdio::piped());
        let output = pg_dump.spawn().context("pg_dump can't be started")?.wait_with_output().await?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "the loaded dump can't be read: {}", said.trim());
        Ok(())
    }

    async fn pg_restore(&self, url: &platform::secret::Secret, dump: &Path) -> anyhow::Result<()> {
        let extensions = &self.project.extensions;
        let schemas: Vec<&str> = extensions.iter().map(|extension| extension.schema.as_str()).collect();
        let toc = pg_restore::list(self.programs, dump).await?;
        let selection = toc::operators_objects(&toc, &schemas);
        if selection.is_empty() {
            return Ok(());
        }
        pg_restore::run(self.programs, url, dump, &selection.list).await.map(drop)
    }
}
