//! After the steps (`steps.rs`), one transaction applies the functions, views and policies that changed. In a new database and in
//! one of before (`bridge.rs`), the transaction also creates the tables and applies the steps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::bookkeeping::{self, Recorded};
use crate::bridge;
use crate::catalog;
use crate::error::{MigrationError, Result};
use crate::kept;
use crate::managed;
use crate::objects;
use crate::pending;
use crate::release::{BASELINE, Release, Text};

/// Other files call its functions: when it changes, all are applied again.
const SHARED: &str = "backend/functions/maintenance.sql";

/// One pass is enough as long as objects depend on earlier files only.
const MAX_PASSES: usize = 3;

/// A waiting request has a `deadlock_timeout` of 1 s. So this transaction detects a deadlock first and starts again. Only superusers
/// may set that; without it, the lock timeout ends the attempt.
pub(crate) const SETTINGS: &str = "set local statement_timeout = 0;
  select pg_catalog.set_config('deadlock_timeout', '100ms', true) where pg_catalog.has_parameter_privilege('deadlock_timeout', 'set');
  set local client_min_messages = warning; set local search_path = pg_catalog, pg_temp";

/// What an upgrade applies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything. Objects that no file creates any more are removed.
    Release,
    /// Functions, views and policies, during development.
    Texts,
    /// The tables of an earlier release, for the rows of a backup.
    Tables,
}

pub(crate) struct Upgrade<'a> {
    pub(crate) release: &'a Release,
    pub(crate) scope: Scope,
    pub(crate) lock_timeout: Duration,
}

impl Upgrade<'_> {
    /// Makes one attempt. If it fails, nothing has changed and no lock is left.
    pub(crate) async fn attempt(
        &self,
        connection: &mut PgConnection,
        progress: &mut impl FnMut(&str),
    ) -> Result {
        // Dropped without a commit, it is rolled back.
        let mut transaction = connection.begin().await?;
        self.apply(&mut transaction, progress).await?;
        Ok(transaction.commit().await?)
    }

    async fn apply(&self, connection: &mut PgConnection, progress: &mut impl FnMut(&str)) -> Result {
        connection.execute(SETTINGS).await?;
        let recorded = bookkeeping::read(&mut *connection).await?;
        kept::find(&mut *connection, self.release).await?;
        if self.scope != Scope::Texts {
            recorded.refuse_others(self.release)?;
            progress("migrating tables");
            self.migrate_tables(&mut *connection, &recorded).await?;
        }
        if self.scope == Scope::Tables {
            return Ok(());
        }
        progress("applying functions, views and policies");
        self.apply_texts(&mut *connection, &recorded).await?;
        if self.scope == Scope::Release {
            self.remove_former(&mut *connection).await?;
        }
        sqlx::raw_sql(include_str!("validate.sql")).execute(&mut *connection).await?;
        sqlx::raw_sql("reset role; notify pgrst, 'reload schema'").execute(&mut *connection).await?;
        kept::check(&mut *connection).await?;
        Ok(bookkeeping::write(connection, self.release).await?)
    }

    async fn migrate_tables(&self, connection: &mut PgConnection, recorded: &Recorded) -> Result {
        let bridge = bridge::sql(&recorded.migrations)?;
        let pending = pending::pending(self.release, recorded)?;
        if pending.is_empty() {
            return Ok(());
        }
        managed::lock_roles(&mut *connection).await?;
        self.lock(&mut *connection, |_| true).await?;
        // Requests wait from here on, so that each migration is one round trip.
        for migration in &pending {
            let sql = match &bridge {
                Some(bridge) if migration.version == BASELINE => bridge.clone(),
                _ if migration.no_tx => migration.sql.as_str().replace(" concurrently", ""),
                // `set local role` would last until the end of the transaction.
                _ => format!("{}\n; reset role", migration.sql.as_str()),
            };
            pending::run(&mut *connection, migration, &sql, &mut |_| ()).await?;
        }
        bookkeeping::record(&mut *connection, &pending, true).await?;
        Ok(bookkeeping::forget_history(connection).await?)
    }

    /// Locks all tables and views that will change, before anything changes: requests take these locks in many
    /// different orders, and an upgrade that collected them one by one would end in deadlocks. While this
    /// waits, requests queue behind it, so the timeout is short.
    async fn lock(&self, connection: &mut PgConnection, changes: impl Fn(&str) -> bool) -> Result {
        let relations: Vec<(String, String)> = sqlx::query_as(
            "select nspname || '.' || relname, format('%I.%I', nspname, relname)
             from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
             where nspowner = relowner and relkind in ('r', 'p', 'v')
               and relowner = pg_catalog.to_regrole('serasi_owner')
             order by relkind = 'v' desc, 1",
        )
        .fetch_all(&mut *connection)
        .await?;
        let relations: Vec<String> =
            relations.into_iter().filter(|(name, _)| changes(name)).map(|(_, quoted)| quoted).collect();
        let limit = self.lock_timeout.as_millis();
        let mut statement = format!("set local lock_timeout = {limit};");
        if !relations.is_empty() {
            // lock_timeout limits the wait for each lock, but requests queue behind the first lock until the
            // last one is acquired.
            statement += &format!(
                "set local statement_timeout = {limit};
                 lock table {} in access exclusive mode;
                 set local statement_timeout = 0",
                relations.join(", ")
            );
        }
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
        Ok(())
    }

    async fn apply_texts(&self, connection: &mut PgConnection, recorded: &Recorded) -> Result {
        let hashes: BTreeMap<&str, String> =
            self.release.texts.iter().map(|text| (text.file.as_str(), text.hash())).collect();
        let is_recorded = |file: &str| recorded.texts.get(file) == hashes.get(file);
        let all = !is_recorded(SHARED);
        let mut due: BTreeSet<&str> =
            hashes.keys().copied().filter(|file| all || !is_recorded(file)).collect();
        self.add_incomplete(&mut *connection, &mut due).await?;

        let changed = self.release.texts.iter().filter(|text| due.contains(text.file.as_str()));
        let objects: BTreeSet<String> = changed.flat_map(Text::objects).collect();
        let relations: BTreeSet<&str> =
            objects.iter().filter_map(|object| objects::relation(object)).collect();
        self.lock(&mut *connection, |name| relations.contains(name)).await?;

        // serasi.reset_access reads the list of what it keeps.
        sqlx::raw_sql(
            "do $$ begin
               if not has_table_privilege('serasi_owner', 'migration.kept', 'select') then
                 grant usage on schema migration to serasi_owner; grant select on migration.kept to serasi_owner;
               end if;
             end $$;
             set local search_path = pg_catalog, pg_temp; set local check_function_bodies = off; set local role serasi_owner",
        )
        .execute(&mut *connection)
        .await?;
        for _ in 0..MAX_PASSES {
            self.apply_due(&mut *connection, &due).await?;
            due.clear();
            self.add_incomplete(&mut *connection, &mut due).await?;
            if due.is_empty() {
                return Ok(());
            }
        }
        Err(MigrationError::Incomplete(due.into_iter().collect::<Vec<_>>().join(", ")))
    }

    /// Applies these files. Objects of other files may have been dropped then.
    async fn apply_due(&self, connection: &mut PgConnection, due: &BTreeSet<&str>) -> Result {
        let due: Vec<&Text> =
            self.release.texts.iter().filter(|text| due.contains(text.file.as_str())).collect();
        let objects: BTreeSet<String> = due.iter().flat_map(|text| text.objects()).collect();
        catalog::reset_functions(&mut *connection, &objects).await?;
        let before = catalog::found(&mut *connection).await?;
        for text in due {
            apply_text(&mut *connection, text).await?;
        }
        let after = catalog::found(&mut *connection).await?;
        let outdated = catalog::outdated(&before, &after, &objects);
        if !outdated.is_empty() {
            catalog::drop_objects(connection, &outdated, true).await?;
        }
        Ok(())
    }

    /// Adds the files whose objects the database lacks: a migration or a changed file had to drop them.
    async fn add_incomplete<'b>(
        &'b self,
        connection: &mut PgConnection,
        due: &mut BTreeSet<&'b str>,
    ) -> Result {
        let found: BTreeSet<String> =
            catalog::found(connection).await?.into_iter().map(|found| found.object).collect();
        let incomplete = self.release.texts.iter().filter(|text| !text.objects().is_subset(&found));
        due.extend(incomplete.map(|text| text.file.as_str()));
        Ok(())
    }

    /// Removes objects of earlier versions that no file creates any more.
    async fn remove_former(&self, connection: &mut PgConnection) -> Result {
        let expected = self.release.objects();
        let found = catalog::found(&mut *connection).await?;
        let former: Vec<_> = found.iter().filter(|found| !expected.contains(&found.object)).collect();
        let policy_of = |object: &String| {
            let is_policy = object.starts_with("policy ");
            objects::relation(object).filter(|_| is_policy).map(str::to_owned)
        };
        let with_policies: BTreeSet<String> = expected.iter().filter_map(policy_of).collect();
        let mut closed: BTreeSet<String> =
            former.iter().filter_map(|found| policy_of(&found.object)).collect();
        closed.retain(|table| !with_policies.contains(table));
        catalog::drop_objects(&mut *connection, &former, false).await?;

        // Resets the grants of a table that has lost its policies.
        sqlx::query("select serasi.reset_access(name::regclass) from unnest($1::text[]) as name")
            .bind(closed.into_iter().collect::<Vec<_>>())
            .execute(connection)
            .await?;
        Ok(())
    }
}

async fn apply_text(connection: &mut PgConnection, text: &Text) -> Result {
    match run(&mut *connection, text).await {
        Err(error) if error.is_irreplaceable() => {
            let objects = text.objects();
            let found = catalog::found(&mut *connection).await?;
            let replaced: Vec<_> = found.iter().filter(|found| objects.contains(&found.object)).collect();
            catalog::drop_objects(&mut *connection, &replaced, true).await?;
            run(connection, text).await
        }
        outcome => outcome,
    }
}

async fn run(connection: &mut PgConnection, text: &Text) -> Result {
    // Runs separately, because PostgreSQL runs none of a text's statements if it can't be parsed.
    sqlx::raw_sql("savepoint file").execute(&mut *connection).await?;
    let objects = text.objects();
    let views = objects.iter().filter_map(|object| object.strip_prefix("view "));
    let reset = views.map(|view| {
        format!("select serasi.reset_access(old) from to_regclass('{view}') as old where old is not null;\n")
    });
    let sql = format!("{}{}\n; release savepoint file", reset.collect::<String>(), text.sql);
    if let Err(error) = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *connection).await {
        sqlx::raw_sql("rollback to savepoint file").execute(connection).await?;
        return Err(MigrationError::File { file: text.file.clone(), error });
    }
    Ok(())
}
