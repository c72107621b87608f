//! Loads the database of a backup. Migrations create Serasi's tables; `pg_restore` then writes the SQL of their rows, which a login runs
//! that can only insert, and that of the operator's objects, which `import_owner` runs. A backup may have been tampered with: no
//! code of it runs as a superuser.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::Stdio;

use anyhow::{Context, bail, ensure};
use platform::progress::Progress;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor};

use super::manifest::Manifest;
use super::{dump, toc, undo};
use crate::database::Database;
use crate::database::temporary_login::TemporaryLogin;
use crate::extensions::Extension;
use crate::failures::{Judged, judge};
use crate::programs::Programs;
use crate::{extensions, import_owner, script};

/// What the login for the rows may do. Constraints and generated columns call functions. Triggers don't run and references are not
/// checked: the rows come from a consistent snapshot.
const INSERT: &str = "
alter role LOGIN bypassrls;
alter role LOGIN set session_replication_role = replica;
grant usage on schema SCHEMAS to LOGIN;
grant execute on all functions in schema SCHEMAS to LOGIN;
grant insert on all tables in schema SCHEMAS to LOGIN;
grant update on all sequences in schema SCHEMAS to LOGIN";

const SCHEMAS: &str = "
select string_agg(quote_ident(nspname), ', ') from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'extensions')";

pub struct Load<'a> {
    /// An empty one.
    pub database: &'a Database,
    pub programs: &'a Programs,
    pub dump: &'a File,
    pub manifest: &'a Manifest,
    pub progress: &'a Progress,
}

impl Load<'_> {
    /// Restores Serasi's tables, then the operator's objects, after `first`. Returns a report about the latter.
    ///
    /// # Errors
    /// When something can't be restored. The database is empty again, unless the message says that this failed.
    pub async fn run(
        &self,
        with_own_tables: bool,
        first: impl Future<Output = anyhow::Result<()>>,
    ) -> anyhow::Result<String> {
        let loaded = async {
            first.await?;
            let toc = self.list().await?;
            self.load_rows(&toc).await?;
            let report = match with_own_tables {
                true => self.load_operators_objects(&toc).await?,
                false => "Your own tables were left out.\n".to_owned(),
            };
            db::end_restore(&mut self.database.connect().await?).await?;
            anyhow::Ok(report)
        };
        match loaded.await {
            Err(error) => self.undo(error).await,
            loaded => loaded,
        }
    }

    /// Empties the database, and returns the error.
    ///
    /// # Errors
    /// Always.
    pub async fn undo(&self, error: anyhow::Error) -> anyhow::Result<String> {
        match undo::undo(self.database).await {
            Ok(()) => Err(error),
            Err(undone) => Err(error.context(format!(
                "the database could not be emptied again ({undone:#}): the next `serasi restore` into it will do that"
            ))),
        }
    }

    /// Creates the tables of the backup's version, loads the rows, and upgrades them. The database is marked as incomplete.
    async fn load_rows(&self, toc: &str) -> anyhow::Result<()> {
        let step = self.progress.step("Restoring tables");
        let contents = self.manifest.contents();
        let mut connection = self.database.connect().await?;
        let mut transaction = connection.begin().await?;
        db::create_tables_with(contents, &mut transaction, self.manifest.last_migration()).await?;
        let tables: Vec<String> = sqlx::query_scalar(dump::TABLES).fetch_all(&mut *transaction).await?;
        // Migrations add initial rows to some tables.
        let empty: String = tables.iter().map(|table| format!("delete from {table};")).collect();
        let empty = format!(
            "set local session_replication_role = replica; {empty} set local session_replication_role = origin;
             insert into migration.version (hash) values ('')"
        );
        sqlx::raw_sql(AssertSqlSafe(empty)).execute(&mut *transaction).await?;
        db::begin_restore(&mut transaction).await?;
        transaction.commit().await?;

        let schemas: String = sqlx::query_scalar(SCHEMAS).fetch_one(&mut connection).await?;
        let mut login = TemporaryLogin::create(self.database, None).await?;
        login.run(&INSERT.replace("SCHEMAS", &schemas)).await?;
        let unquoted = tables.iter().map(|table| table.replace('"', "")).collect::<BTreeSet<_>>();
        let loaded = self.pg_restore(&login.url, &toc::our_rows(toc, &unquoted)).await;
        login.end().await?;
        loaded?;

        let mut transaction = connection.begin().await?;
        transaction.execute("delete from migration.version").await?;
        let upgraded = db::migrate_with(contents, &mut transaction, |what| step.now(what)).await;
        upgraded.context("the backup can't be upgraded")?;
        db::begin_restore(&mut transaction).await?;
        transaction.commit().await?;
        step.done();
        Ok(connection.close().await?)
    }

    async fn load_operators_objects(&self, toc: &str) -> anyhow::Result<String> {
        let step = self.progress.step("Restoring your own tables");
        let mut connection = self.database.connect().await?;
        let selection = toc::operators_objects(toc);
        let present = extensions::all(&mut connection).await?;
        let is_present = |wanted: &Extension| {
            present.iter().any(|one| one.name == wanted.name && one.schema == wanted.schema)
        };
        // Without objects of its own, the role gets no privileges that it would keep.
        if selection.list.is_empty()
            && self.manifest.on_our_tables.is_empty()
            && self.manifest.extensions.iter().all(is_present)
        {
            step.done();
            return Ok(String::new());
        }
        let login = import_owner::sign_in(self.database).await?;
        let missing = extensions::create(&mut connection, &self.manifest.extensions).await?;
        let restored = self.pg_restore(&login.url, &selection.list).await;
        import_owner::sign_out(self.database, login).await?;
        let hint = match &missing[..] {
            [] => String::new(),
            missing => {
                let missing = missing.join(", ");
                format!(
                    "; the extensions {missing} do not exist here: install them, or add --without-own-tables"
                )
            }
        };
        let restored = restored.with_context(|| format!("your own tables can't be restored{hint}"))?;
        let unsafe_statements = self.manifest.on_our_tables.create(&mut connection).await?;
        let why_left_out = format!("left out, because {}", import_owner::WHY_LEFT_OUT);
        step.done();
        let mut report = String::new();
        for (what, names) in [
            ("objects that belonged to another role, and belong to import_owner now", selection.adopted),
            ("extensions that do not exist here", missing),
            ("left out, because only a superuser can create them", restored.left_out.into_iter().collect()),
            ("privileges left out, because their roles do not exist here", restored.privileges),
            (&why_left_out, unsafe_statements),
        ] {
            if !names.is_empty() {
                report += &format!("  {what}: {}\n    {}\n", names.len(), names.join("\n    "));
            }
        }
        Ok(report)
    }

    fn dump_from_start(&self) -> io::Result<Stdio> {
        let mut dump = self.dump;
        dump.rewind()?;
        Ok(dump.try_clone()?.into())
    }

    /// The table of contents of the dump.
    async fn list(&self) -> anyhow::Result<String> {
        let mut command = self.programs.offline("pg_restore");
        let output = command.arg("--list").stdin(self.dump_from_start()?).output().await;
        let output = output.context("pg_restore can't be started")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "the dump of the database is damaged: {}", errors.trim());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Restores the entries of the list, as a login that has no more rights than the dump needs. All tables must exist before rows are
    /// loaded: psql would run the rows of a missing one as statements.
    async fn pg_restore(&self, url: &Secret, list: &str) -> anyhow::Result<Judged> {
        if list.is_empty() {
            return Ok(Judged::default());
        }
        let mut file = tempfile::NamedTempFile::new().context("there is no temporary folder")?;
        file.write_all(list.as_bytes())?;
        let mut failures = Vec::new();
        for sections in [&["--section=pre-data"][..], &["--section=data", "--section=post-data"]] {
            let mut command = self.programs.offline("pg_restore");
            command.args(["--no-owner", "--file=-"]).args(sections);
            command.arg(format!("--use-list={}", file.path().display())).stdin(self.dump_from_start()?);
            failures.extend(script::run_output(self.programs, url, command).await?);
            if let Some(first) = judge(failures.clone()).serious.first() {
                bail!("{}", first.message);
            }
        }
        Ok(judge(failures))
    }
}
