//! Copies the project's own schemas from the scratch database with `pg_dump` and psql, as `import_owner`.

use std::process::Stdio;

use anyhow::ensure;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Job;
use super::platform::SCHEMAS;
use super::project::Project;
use super::scratch::Scratch;
use crate::failures::judge;
use crate::{extensions, import_owner, script};

const GRANTS: &str = "
select coalesce(string_agg(format('grant usage on schema %I to serasi_owner', nspname), ';'), '') from pg_namespace
where nspowner = 'import_owner'::regrole";

impl Job<'_> {
    /// `loaded`: a connection to the scratch database.
    ///
    /// # Errors
    /// When something can't be copied. The caller removes the rest.
    pub async fn copy_schemas(
        &mut self,
        scratch: &Scratch,
        project: &Project,
        loaded: &mut PgConnection,
        admin: &mut PgConnection,
    ) -> anyhow::Result<()> {
        let mut dump = self.programs.command("pg_dump", &scratch.url)?;
        dump.args(["--no-owner", "--no-publications", "--no-blobs", "--encoding=UTF8", "--no-password"]);
        dump.arg(format!("--exclude-schema={SCHEMAS}")).stdin(Stdio::null());
        let mut login = import_owner::sign_in(&self.database).await?;
        let url = login.url.clone();
        let copied = async {
            let before = extensions::all(admin).await?;
            let wanted = project.extensions.iter().map(|extension| extension.name.clone());
            let is_new = |name: &String| before.iter().all(|extension| extension.name != *name);
            self.added.extensions.extend(wanted.filter(is_new));
            extensions::create(admin, &project.extensions).await?;
            script::run_output(&self.programs, &url, dump).await
        };
        let copied = tokio::select! {
            copied = copied => copied,
            overrun = login.overruns() => overrun.map(|never| match never {}),
        };
        import_owner::sign_out(&self.database, login).await?;
        let judged = judge(copied?);
        ensure!(judged.serious.is_empty(), "{}", judged.serious[0].message);
        let grants: String = sqlx::query_scalar(GRANTS).fetch_one(&mut *admin).await?;
        sqlx::raw_sql(AssertSqlSafe(grants)).execute(&mut *admin).await?;
        for statement in import_owner::on_our_tables(loaded, true).await?.create(admin).await? {
            println!("  left out, because {}: {statement}", import_owner::WHY_LEFT_OUT);
        }
        Ok(())
    }
}
