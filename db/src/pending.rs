//! The tables and steps that a database lacks.

use sqlx::migrate::{MigrateError, Migration};
use sqlx::{AssertSqlSafe, PgConnection};

use crate::bookkeeping::Recorded;
use crate::error::Result;
use crate::managed;
use crate::release::Release;

/// Tables and steps that the database lacks.
///
/// # Errors
/// When one that it has was edited, or an unknown one was interrupted.
pub(crate) fn pending<'a>(release: &'a Release, recorded: &Recorded) -> Result<Vec<&'a Migration>> {
    let mut pending = Vec::new();
    for migration in &release.migrations {
        match recorded.migrations.get(&migration.version) {
            Some(checksum) if **checksum != *migration.checksum => {
                return Err(MigrateError::VersionMismatch(migration.version).into());
            }
            Some(_) => (),
            None => pending.push(migration),
        }
    }
    let can_repeat = |version| pending.iter().any(|step| step.version == version && step.no_tx);
    match recorded.unfinished {
        Some(version) if !can_repeat(version) => Err(MigrateError::Dirty(version).into()),
        _ => Ok(pending),
    }
}

/// Runs a step's statements. An online one is repeated until it changes no more rows.
pub(crate) async fn run(
    connection: &mut PgConnection,
    step: &Migration,
    sql: &str,
    progress: &mut impl FnMut(&str),
) -> Result {
    let sql = managed::with_operator_class(&mut *connection, sql).await?;
    let mut rows = 0;
    loop {
        let applied = sqlx::raw_sql(AssertSqlSafe(sql.as_str())).execute(&mut *connection).await;
        let changed =
            applied.map_err(|error| MigrateError::ExecuteMigration(error, step.version))?.rows_affected();
        if !step.no_tx || changed == 0 {
            return Ok(());
        }
        rows += changed;
        progress(&format!("step {}, {}: {rows} rows", step.version, step.description));
    }
}
