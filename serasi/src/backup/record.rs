//! The record of a backup in `serasi.backups`, which superadmins see. A backup continues even if its record
//! can't be written.

use serde_json::{Value, json};
use sqlx::PgConnection;

use super::archive::Size;
use super::place::Place;
use crate::database::Database;

/// The maximum number of rows in the table, in addition to the new one.
const MOST_ROWS: i64 = 1000;
const LONGEST_ERROR: usize = 500;

/// Records nothing by default, and in a database without the table.
#[derive(Default)]
pub struct Record(Option<Row>);

struct Row {
    connection: PgConnection,
    id: String,
    shown: (&'static str, u64),
}

/// Takes the waiting request, or adds a row.
const BEGIN: &str = "
with taken as (
  update serasi.backups set state = 'running', started_at = now() where state = 'requested' returning id::text),
added as (
  insert into serasi.backups (state, started_at) select 'running', now() where not exists (select from taken) returning id::text)
select id from taken union all select id from added";

/// Sets the columns that the object names. A complete backup stays complete.
const UPDATE: &str = "
update serasi.backups as backup set (state, finished_at, step, percent, place, bytes, row_count, picture_count, error) = (
  select state, case when $2 ? 'state' then now() else finished_at end, step, percent, place, bytes, row_count, picture_count, error
  from jsonb_populate_record(backup, $2))
where id = $1::uuid and not (state = 'complete' and $2 ? 'state')";

/// Marks the records of killed backups as failed.
const END_INTERRUPTED: &str = "
update serasi.backups set state = 'failed', finished_at = now(), step = null, percent = null,
  error = 'interrupted: the program that made it was stopped' where state = 'running';
update serasi.backups set step = null, percent = null where state = 'complete' and step is not null";

impl Record {
    /// The caller holds the lock on backups of this database.
    pub async fn begin(database: &Database) -> Self {
        let begun = async {
            let mut connection = database.connect().await?;
            if !exists(&mut connection).await? {
                return anyhow::Ok(None);
            }
            sqlx::query("delete from serasi.backups where id in (select id from serasi.backups order by created_at desc, id desc offset $1)")
                .bind(MOST_ROWS)
                .execute(&mut connection)
                .await?;
            let id = sqlx::query_scalar(BEGIN).fetch_one(&mut connection).await?;
            Ok(Some(Row { connection, id, shown: ("", 0) }))
        };
        Self(begun.await.unwrap_or_else(|error| {
            eprintln!("  The backup is not recorded in the database: {error:#}");
            None
        }))
    }

    /// `step`: tables, pictures or verify.
    pub async fn progress(&mut self, step: &'static str, done: u64, total: u64) {
        let percent = done.saturating_mul(100) / total.max(1);
        if let Some(row) = &mut self.0
            && row.shown != (step, percent)
        {
            row.shown = (step, percent);
            self.update(json!({ "step": step, "percent": percent })).await;
        }
    }

    pub async fn complete(&mut self, place: &Place, name: &str, rows: u64, size: Size) {
        self.update(json!({
            "state": "complete", "step": null, "percent": null, "place": place.address(name), "bytes": size.bytes,
            "row_count": rows, "picture_count": size.pictures,
        }))
        .await;
    }

    pub async fn fail(&mut self, error: &anyhow::Error) {
        self.update(json!({ "state": "failed", "step": null, "percent": null, "error": one_line(error) }))
            .await;
    }

    async fn update(&mut self, columns: Value) {
        if let Some(row) = &mut self.0 {
            let update = sqlx::query(UPDATE).bind(&row.id).bind(columns);
            report(update.execute(&mut row.connection).await);
        }
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
    if exists(connection).await? {
        sqlx::raw_sql(END_INTERRUPTED).execute(connection).await?;
    }
    Ok(())
}

/// Whether a request is waiting.
///
/// # Errors
/// When the database can't be read.
pub async fn is_requested(connection: &mut PgConnection) -> sqlx::Result<bool> {
    let question = "select exists (select from serasi.backups where state = 'requested')";
    sqlx::query_scalar(question).fetch_one(connection).await
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
    if exists(connection).await? {
        sqlx::query(
            "update serasi.backups set verified = $2, verified_at = now(), error = $3, step = null, percent = null
             where state = 'complete' and place = $1",
        )
        .bind(place.address(name))
        .bind(outcome.is_ok())
        .bind(outcome.as_ref().err().map(one_line))
        .execute(connection)
        .await?;
    }
    Ok(())
}

fn one_line(error: &anyhow::Error) -> String {
    let words = format!("{error:#}");
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_ERROR).collect()
}
