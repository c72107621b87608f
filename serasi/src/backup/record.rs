//! The record of a backup in `serasi.backups`, which superadmins see. A backup continues even if its record
//! can't be written.

use std::time::{Duration, Instant};

use sqlx::PgConnection;

use super::archive::Size;
use super::place::Place;
use crate::database::Database;

/// Time between two updates of the progress.
const INTERVAL: Duration = Duration::from_millis(500);
/// The maximum number of rows in the table, in addition to the new one.
const MOST_ROWS: i64 = 1000;
const LONGEST_ERROR: usize = 500;

/// Records nothing by default, and in a database without the table.
#[derive(Default)]
pub struct Record(Option<Row>);

struct Row {
    connection: PgConnection,
    id: String,
    shown: Option<(&'static str, Instant)>,
}

impl Record {
    /// Takes the waiting request, or adds a row. The caller holds the lock on backups of this database.
    pub async fn begin(database: &Database) -> Self {
        Self::try_begin(database).await.unwrap_or_else(|error| {
            eprintln!("  The backup is not recorded in the database: {error:#}");
            Self(None)
        })
    }

    async fn try_begin(database: &Database) -> anyhow::Result<Self> {
        let mut connection = database.connect().await?;
        if !exists(&mut connection).await? {
            return Ok(Self(None));
        }
        end_interrupted(&mut connection).await?;
        sqlx::query("delete from serasi.backups where id in (select id from serasi.backups order by created_at desc, id desc offset $1)")
            .bind(MOST_ROWS)
            .execute(&mut connection)
            .await?;
        let id = sqlx::query_scalar(
            "with taken as (
               update serasi.backups set state = 'running', started_at = now() where state = 'requested' returning id::text),
             added as (
               insert into serasi.backups (state, started_at) select 'running', now() where not exists (select from taken)
               returning id::text)
             select id from taken union all select id from added",
        )
        .fetch_one(&mut connection)
        .await?;
        Ok(Self(Some(Row { connection, id, shown: None })))
    }

    /// `step`: tables, pictures or verify.
    pub async fn progress(&mut self, step: &'static str, done: u64, total: u64) {
        let Some(row) = &mut self.0 else { return };
        let is_due = |(last, at): (&str, Instant)| last != step || at.elapsed() >= INTERVAL;
        if !row.shown.is_none_or(is_due) {
            return;
        }
        row.shown = Some((step, Instant::now()));
        let percent = i16::try_from(done.saturating_mul(100) / total.max(1)).unwrap_or(100).min(100);
        let update = sqlx::query("update serasi.backups set step = $2, percent = $3 where id = $1::uuid");
        let update = update.bind(&row.id).bind(step).bind(percent);
        report(update.execute(&mut row.connection).await);
    }

    pub async fn complete(&mut self, place: &Place, name: &str, rows: u64, size: Size) {
        let Some(row) = &mut self.0 else { return };
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let update = sqlx::query(
            "update serasi.backups set state = 'complete', finished_at = now(), step = null, percent = null,
               place = $2, bytes = $3, row_count = $4, picture_count = $5
             where id = $1::uuid",
        )
        .bind(&row.id)
        .bind(place.address(name))
        .bind(number(size.bytes))
        .bind(number(rows))
        .bind(number(size.pictures));
        report(update.execute(&mut row.connection).await);
    }

    /// Records the error, unless the backup is already complete.
    pub async fn fail(&mut self, error: &anyhow::Error) {
        let Some(row) = &mut self.0 else { return };
        let update = sqlx::query(
            "update serasi.backups set state = 'failed', finished_at = now(), step = null, percent = null, error = $2
             where id = $1::uuid and state = 'running'",
        )
        .bind(&row.id)
        .bind(one_line(error));
        report(update.execute(&mut row.connection).await);
    }

    pub async fn verified<T>(&mut self, place: &Place, name: &str, outcome: &anyhow::Result<T>) {
        if let Some(row) = &mut self.0 {
            report(save_verified(&mut row.connection, place, name, outcome).await);
        }
    }

    /// Marks all backups of this place as removed, except these.
    pub async fn mark_removed(&mut self, place: &Place, names: &[String]) {
        let Some(row) = &mut self.0 else { return };
        let left: Vec<String> = names.iter().map(|name| place.address(name)).collect();
        let update = sqlx::query(
            "update serasi.backups set removed_at = now()
             where state = 'complete' and removed_at is null and starts_with(place, $1) and place <> all ($2)",
        )
        .bind(place.address(""))
        .bind(left);
        report(update.execute(&mut row.connection).await);
    }
}

fn report<T>(outcome: Result<T, sqlx::Error>) {
    if let Err(error) = outcome {
        eprintln!("  The backup can't be recorded in the database: {error}");
    }
}

/// Backups of an older database or of a replica are not recorded.
async fn exists(connection: &mut PgConnection) -> sqlx::Result<bool> {
    let question = "select to_regclass('serasi.backups') is not null and not pg_is_in_recovery()";
    sqlx::query_scalar(question).fetch_one(connection).await
}

/// Marks the records of killed backups as failed. The caller holds the lock on backups of this database.
///
/// # Errors
/// When the database can't be written.
pub async fn end_interrupted(connection: &mut PgConnection) -> sqlx::Result<()> {
    let update = "update serasi.backups set state = 'failed', finished_at = now(), step = null, percent = null,
                    error = 'interrupted: the program that made it was stopped'
                  where state = 'running'";
    sqlx::query(update).execute(&mut *connection).await?;
    let update =
        "update serasi.backups set step = null, percent = null where state = 'complete' and step is not null";
    sqlx::query(update).execute(connection).await.map(drop)
}

/// Records the outcome of `serasi verify`, if the database knows the backup.
///
/// # Errors
/// When the database can't be written.
pub async fn save_verified<T>(
    connection: &mut PgConnection,
    place: &Place,
    name: &str,
    outcome: &anyhow::Result<T>,
) -> sqlx::Result<()> {
    if !exists(connection).await? {
        return Ok(());
    }
    sqlx::query(
        "update serasi.backups set verified = $2, verified_at = now(), error = $3, step = null, percent = null
         where state = 'complete' and place = $1",
    )
    .bind(place.address(name))
    .bind(outcome.is_ok())
    .bind(outcome.as_ref().err().map(one_line))
    .execute(connection)
    .await
    .map(drop)
}

fn one_line(error: &anyhow::Error) -> String {
    let words = format!("{error:#}");
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_ERROR).collect()
}
