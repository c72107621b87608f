//! The steps of an upgrade, applied one by one before functions, views and policies change. The version before goes on serving
//! meanwhile, so a step only adds what that version can ignore, or removes what it no longer uses (`db/README.md`).
//!
//! A quick step is one transaction. An online step begins with the line `-- no-transaction` and is a single statement that reads
//! and writes don't wait for: an index that is built concurrently, the validation of a constraint, or a change of some rows, which
//! is repeated until none is left. After an interruption, it is repeated as well.

use sqlx::migrate::Migration;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::bookkeeping;
use crate::error::Result;
use crate::kept;
use crate::pending::{pending, run};
use crate::release::BASELINE;
use crate::upgrade::{SETTINGS, Scope, Upgrade};

/// The step's own index remains invalid when building it was interrupted, and `if not exists` would keep it.
const INVALID_INDEXES: &str = "select pg_catalog.format('drop index concurrently %I.%I', nspname, relname)
  from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indexrelid
  join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where not indisvalid and relowner = pg_catalog.to_regrole('serasi_owner') and relkind = 'i'
    and pg_catalog.strpos($1, relname) > 0";

impl Upgrade<'_> {
    /// Empty for a database that nobody uses yet, in a transaction of the caller, and where an upgrade replaces the views: there,
    /// all is one transaction.
    pub(crate) async fn pending_steps(&self, connection: &mut PgConnection) -> Result<Vec<&Migration>> {
        if self.scope != Scope::Release {
            return Ok(Vec::new());
        }
        let is_in_transaction: bool =
            sqlx::query_scalar("select pg_catalog.pg_current_xact_id_if_assigned() is not null")
                .fetch_one(&mut *connection)
                .await?;
        if is_in_transaction {
            return Ok(Vec::new());
        }
        let mut transaction = connection.begin().await?;
        transaction.execute(SETTINGS).await?;
        let recorded = bookkeeping::read(&mut transaction).await?;
        // A database that is refused gets no tables.
        transaction.rollback().await?;
        if !recorded.migrations.contains_key(&BASELINE) {
            return Ok(Vec::new());
        }
        recorded.refuse_others(self.release)?;
        pending(self.release, &recorded)
    }

    /// Makes one attempt.
    pub(crate) async fn apply_step(
        &self,
        connection: &mut PgConnection,
        step: &Migration,
        progress: &mut impl FnMut(&str),
    ) -> Result {
        progress(&format!("step {}, {}", step.version, step.description));
        if step.no_tx {
            self.begin_online(&mut *connection, step).await?;
            let applied = apply_online(&mut *connection, step, progress).await;
            connection.execute("reset statement_timeout; reset lock_timeout").await?;
            applied?;
        }
        // Dropped without a commit, it is rolled back.
        let mut transaction = connection.begin().await?;
        transaction.execute(SETTINGS).await?;
        if step.no_tx {
            kept::find_beside(&mut transaction, step.sql.as_str()).await?;
        } else {
            kept::find(&mut transaction, self.release).await?;
            let limit = format!("set local lock_timeout = {}", self.lock_timeout.as_millis());
            transaction.execute(AssertSqlSafe(limit)).await?;
            // `set local role` would last until the end of the transaction.
            let sql = format!("{}\n; reset role", step.sql.as_str());
            run(&mut transaction, step, &sql, progress).await?;
        }
        kept::check(&mut transaction).await?;
        bookkeeping::record(&mut transaction, &[step], true).await?;
        Ok(transaction.commit().await?)
    }

    /// Records what the operator has before anything of the step exists.
    async fn begin_online(&self, connection: &mut PgConnection, step: &Migration) -> Result {
        let mut transaction = connection.begin().await?;
        transaction.execute(SETTINGS).await?;
        if bookkeeping::read(&mut transaction).await?.unfinished.is_none() {
            kept::find(&mut transaction, self.release).await?;
            bookkeeping::record(&mut transaction, &[step], false).await?;
        }
        Ok(transaction.commit().await?)
    }
}

async fn apply_online(
    connection: &mut PgConnection,
    step: &Migration,
    progress: &mut impl FnMut(&str),
) -> Result {
    connection.execute("set statement_timeout = 0; set lock_timeout = 0").await?;
    let invalid: Vec<String> =
        sqlx::query_scalar(INVALID_INDEXES).bind(step.sql.as_str()).fetch_all(&mut *connection).await?;
    for drop in invalid {
        sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut *connection).await?;
    }
    run(connection, step, step.sql.as_str(), progress).await
}
