//! Runs a dump: executes the project's statements, and loads rows of the platform's tables into staging tables.

mod our_tables;

use anyhow::Context;
use indicatif::ProgressBar;
use sqlx::{AssertSqlSafe, PgConnection};

use super::classify::{Action, Destination, Form, Rows};
use super::contents::Contents;
use super::schemas::{Origin, Staged};
use super::source::{Dump, Later, Source};
use super::split::Statement;
use super::tokens::{Name, quoted};

pub struct Run<'a> {
    pub connection: &'a mut PgConnection,
    pub contents: &'a Contents,
    origin: Origin,
    /// Statements that run after all rows are loaded.
    later: Vec<Later>,
}

impl<'a> Run<'a> {
    pub fn new(connection: &'a mut PgConnection, contents: &'a Contents, origin: Origin) -> Self {
        Self { connection, contents, origin, later: Vec::new() }
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
            | Action::Marked(..)
            | Action::Ours(_)
            | Action::LeaveOut { .. }
            | Action::Refuse(_) => Ok(()),
        }
    }

    /// Prepares the statement, because PostgreSQL rejects several statements in one prepared text.
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
                let columns = self.staged(staged, rows)?;
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
                let columns = self.staged(staged, rows)?;
                let values = &sql[rows.rest..];
                self.run(&format!("insert into {} ({columns}) {values}", staged.table())).await
            }
        }
    }

    /// The columns of rows for a staging table, as a list.
    fn staged(&self, staged: Staged, rows: &Rows) -> anyhow::Result<String> {
        let columns = rows.columns.as_ref().or_else(|| self.contents.columns.get(&staged));
        let columns = columns.filter(|columns| !columns.is_empty()).with_context(|| {
            format!("the columns of {} are unknown: make the dump with --column-inserts", rows.table)
        })?;
        Ok(columns.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(", "))
    }

    /// Runs the statements that need all rows: references, triggers, policies, comments. Call it last, because it
    /// locks the tables of accounts.
    ///
    /// # Errors
    /// When a statement fails (the message names its line), or a deferred constraint is violated.
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

    /// Disables row security on the tables that don't have it in the dump, and returns them. An event trigger
    /// enables it on every new table.
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
