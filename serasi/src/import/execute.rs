//! Runs a dump: executes the project's own statements, and loads rows of the platform's tables into temporary tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Context;
use indicatif::ProgressBar;
use platform::random;
use sqlx::{AssertSqlSafe, PgConnection};

use super::classify::{Action, Destination, Form, IMPORTED, Rows};
use super::contents::Contents;
use super::schemas::{OUR_OWNER, Origin, Staged};
use super::session::{BECOME_OUR_OWNER, BECOME_OUR_OWNER_NO_MORE};
use super::source::{Dump, Later, Source};
use super::split::Statement;
use super::tokens::{Name, quoted};

pub struct Run<'a> {
    pub connection: &'a mut PgConnection,
    pub contents: &'a Contents,
    origin: Origin,
    /// The columns that the temporary tables have.
    pub staged: BTreeMap<Staged, Vec<String>>,
    /// The statements that need all rows.
    later: Vec<Later>,
}

impl<'a> Run<'a> {
    pub fn new(connection: &'a mut PgConnection, contents: &'a Contents, origin: Origin) -> Self {
        Self { connection, contents, origin, staged: BTreeMap::new(), later: Vec::new() }
    }

    /// Creates the tables and functions, and loads the rows.
    ///
    /// # Errors
    /// When a statement fails. The message names its line.
    pub async fn load(&mut self, source: &Source, bar: &ProgressBar) -> anyhow::Result<()> {
        if let Some(rename) = &source.rename {
            let schema = quoted(rename.name());
            self.run(&format!("create schema {schema}")).await?;
            self.run(&format!("grant usage on schema {schema} to anon, authenticated, service_role")).await?;
        }
        for path in &source.files {
            self.dump(Dump::open(path, source.rename.as_ref())?, bar).await?;
        }
        Ok(())
    }

    /// Creates the tables and functions of one dump, and loads its rows.
    ///
    /// # Errors
    /// When a statement fails. The message names its line.
    pub async fn dump(&mut self, mut dump: Dump<'_>, bar: &ProgressBar) -> anyhow::Result<()> {
        while let Some((statement, action)) = dump.next()? {
            let line = statement.line;
            let done = self.one(&mut dump, statement, action, bar).await;
            done.with_context(|| format!("line {line} of {}", dump.path.display()))?;
        }
        Ok(())
    }

    async fn one(
        &mut self,
        dump: &mut Dump<'_>,
        statement: Statement,
        action: Action,
        bar: &ProgressBar,
    ) -> anyhow::Result<()> {
        match action {
            Action::Run { .. } | Action::Secure(_) | Action::Force(_) => self.run(&statement.sql).await,
            Action::OnOurTable { .. } if !self.contents.is_of_operator(self.origin, &action) => Ok(()),
            Action::Later | Action::OnOurTable { .. } => {
                self.later.push((dump.path.clone(), statement, action));
                Ok(())
            }
            Action::Rows(rows) => match rows.form {
                Form::Copy => self.copy(dump, &statement.sql, &rows, bar).await,
                Form::Insert(count) => {
                    bar.inc(count);
                    self.insert(&statement.sql, &rows).await
                }
            },
            Action::Nothing
            | Action::Columns(..)
            | Action::Extension(_)
            | Action::Exposed(_)
            | Action::Marked(_)
            | Action::Ours(_)
            | Action::LeaveOut { .. }
            | Action::Refuse(_) => Ok(()),
        }
    }

    /// Prepares the statement, because PostgreSQL refuses to prepare several in one text.
    async fn run(&mut self, sql: &str) -> anyhow::Result<()> {
        sqlx::query(AssertSqlSafe(sql)).persistent(false).execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn copy(
        &mut self,
        dump: &mut Dump<'_>,
        sql: &str,
        rows: &Rows,
        bar: &ProgressBar,
    ) -> anyhow::Result<()> {
        let statement = match rows.to {
            Destination::Nowhere => None,
            Destination::Own => Some(sql.to_owned()),
            Destination::Staged(staged) => {
                let columns = self.stage(staged, rows).await?;
                Some(format!("copy {} ({columns}) from stdin", staged.table()))
            }
        };
        let mut chunk = Vec::new();
        let Some(statement) = statement else {
            while !dump.rows(&mut chunk)?.1 {}
            return Ok(());
        };
        let mut copy = self.connection.copy_in_raw(&statement).await?;
        loop {
            match dump.rows(&mut chunk) {
                Ok((count, is_last)) => {
                    copy.send(chunk.as_slice()).await?;
                    bar.inc(count);
                    if is_last {
                        break;
                    }
                }
                Err(error) => {
                    copy.abort("the dump can't be read").await?;
                    return Err(error);
                }
            }
        }
        copy.finish().await.with_context(|| rows.table.to_string())?;
        Ok(())
    }

    async fn insert(&mut self, sql: &str, rows: &Rows) -> anyhow::Result<()> {
        match rows.to {
            Destination::Nowhere => Ok(()),
            Destination::Own => self.run(sql).await,
            Destination::Staged(staged) => {
                let columns = self.stage(staged, rows).await?;
                let values = &sql[rows.rest..];
                self.run(&format!("insert into {} ({columns}) {values}", staged.table())).await
            }
        }
    }

    /// Makes sure that the temporary table has the columns of these rows, and returns them as a list.
    async fn stage(&mut self, staged: Staged, rows: &Rows) -> anyhow::Result<String> {
        let columns = rows.columns.as_ref().or_else(|| self.contents.columns.get(&staged));
        let columns = columns.filter(|columns| !columns.is_empty()).with_context(|| {
            format!("the columns of {} are unknown: make the dump with --column-inserts", rows.table)
        })?;
        let mut statements = String::new();
        if !self.staged.contains_key(&staged) {
            let _ = write!(statements, "create temporary table {} ();", &staged.table()["pg_temp.".len()..]);
        }
        let known = self.staged.entry(staged).or_default();
        for column in columns {
            if !known.contains(column) {
                let table = staged.table();
                let _ = write!(statements, "alter table {table} add column {} text;", quoted(column));
                known.push(column.clone());
            }
        }
        if !statements.is_empty() {
            sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut *self.connection).await?;
        }
        Ok(columns.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(", "))
    }

    /// Runs what needs all rows: references, triggers, policies, comments. Locks tables of accounts, so it comes last.
    ///
    /// # Errors
    /// When a statement fails, the message names its line; or when deferred constraints don't hold.
    pub async fn finish(&mut self) -> anyhow::Result<()> {
        let is_on_ours = |later: &Later| matches!(later.2, Action::OnOurTable { .. });
        let (on_ours, others) = std::mem::take(&mut self.later).into_iter().partition(is_on_ours);
        self.later = on_ours;
        for (path, statement, _) in others {
            let done = self.run(&statement.sql).await;
            done.with_context(|| format!("line {} of {}", statement.line, path.display()))?;
        }
        self.run("set constraints all immediate").await
    }

    /// Creates policies and triggers on tables of this product. No code of the dump runs meanwhile or, as their owner, later.
    ///
    /// # Errors
    /// When a statement fails. The message names its line.
    pub async fn on_our_tables(&mut self, admin: &mut PgConnection) -> anyhow::Result<()> {
        if self.later.is_empty() {
            return Ok(());
        }
        // Policies and triggers on our tables may call functions in these schemas. The dump of a backup says so itself.
        let (contents, origin) = (self.contents, self.origin);
        let is_new = |name: &&Name| name.name.is_empty() && origin == Origin::Supabase;
        for schema in contents.created.iter().filter(is_new) {
            self.run(&format!("grant usage on schema {} to serasi_owner", quoted(&schema.schema))).await?;
        }
        sqlx::raw_sql(BECOME_OUR_OWNER).execute(&mut *admin).await?;
        self.notice_memberships().await?;
        for (path, statement, action) in std::mem::take(&mut self.later) {
            let done = self.on_our_table(&statement.sql, &action).await;
            done.with_context(|| format!("line {} of {}", statement.line, path.display()))?;
        }
        sqlx::raw_sql(BECOME_OUR_OWNER_NO_MORE).execute(admin).await?;
        self.notice_memberships().await
    }

    /// Within a transaction, PostgreSQL looks at changes by others when it reads a catalog, as for a name that it has never seen.
    async fn notice_memberships(&mut self) -> anyhow::Result<()> {
        let unknown = format!("pg_catalog.{}", random::token(20));
        let look_up =
            sqlx::query("select pg_catalog.to_regclass($1) is null").persistent(false).bind(unknown);
        look_up.execute(&mut *self.connection).await?;
        Ok(())
    }

    /// Creates a policy or trigger on a table of ours as its owner, which is no superuser either.
    async fn on_our_table(&mut self, sql: &str, action: &Action) -> anyhow::Result<()> {
        let Action::OnOurTable { kind, name, table, function } = action else { return Ok(()) };
        let lent = if let Some(function) = function { self.lend(function).await? } else { Vec::new() };
        self.run("set local role serasi_owner").await?;
        self.run(sql).await?;
        if *kind == "policy" {
            let mark = format!("comment on policy {} on {table} is {IMPORTED}", quoted(name));
            self.run(&mark).await?;
        }
        self.run("set local role import_owner").await?;
        for privilege in lent {
            self.run(&format!("revoke {privilege} from {OUR_OWNER}")).await?;
        }
        Ok(())
    }

    /// Lets the owner of our tables use a function while it creates a trigger. Returns the privileges to revoke afterwards: those
    /// that a backup does not have.
    async fn lend(&mut self, function: &Name) -> anyhow::Result<Vec<String>> {
        let (schema, name) = (quoted(&function.schema), quoted(&function.name));
        let function = format!("{schema}.{name}()");
        let (has_schema, has_function): (bool, bool) = sqlx::query_as(
            "select pg_catalog.has_schema_privilege($1, $2::regnamespace, 'usage'),
               pg_catalog.has_function_privilege($1, $3::regprocedure, 'execute')",
        )
        .bind(OUR_OWNER)
        .bind(&schema)
        .bind(&function)
        .persistent(false)
        .fetch_one(&mut *self.connection)
        .await?;
        let mut lent = Vec::new();
        for (has, privilege) in [
            (has_schema, format!("usage on schema {schema}")),
            (has_function, format!("execute on function {function}")),
        ] {
            if !has {
                self.run(&format!("grant {privilege} to {OUR_OWNER}")).await?;
                lent.push(privilege);
            }
        }
        Ok(if self.origin == Origin::Backup { lent } else { Vec::new() })
    }

    /// Disables row security on the tables that don't have it in the dump, and returns them. A trigger of ours enables it on every
    /// new table.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn restore_row_security(&mut self) -> anyhow::Result<Vec<String>> {
        let tables: Vec<(String, String)> = sqlx::query_as(
            "select nspname::text, relname::text from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
             where relkind in ('r', 'p') and relowner = 'import_owner'::regrole and relpersistence <> 't' order by 1, 2",
        )
        .fetch_all(&mut *self.connection)
        .await?;
        let mut open = Vec::new();
        for (schema, name) in tables {
            let table = Name { schema, name };
            let shown = format!("{}.{}", quoted(&table.schema), quoted(&table.name));
            if !self.contents.created.contains(&table) {
                continue;
            }
            if !self.contents.forced.contains(&table) {
                self.run(&format!("alter table {shown} no force row level security")).await?;
            }
            if !self.contents.secured.contains(&table) {
                self.run(&format!("alter table {shown} disable row level security")).await?;
                open.push(table.to_string());
            }
        }
        Ok(open)
    }
}
