//! Reports to the database, at least once per minute: the space on the disks, and when backups are due.
//! `/superadmin/health` shows it.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::backup::Schedule;
use crate::database::Database;
use crate::postgres::disk;

const INTERVAL: Duration = Duration::from_secs(60);

pub struct Reports {
    database: Database,
    /// Names in `app.system_reports`, and folders.
    disks: Vec<(&'static str, PathBuf)>,
    schedule: Option<Arc<Schedule>>,
}

impl Reports {
    pub fn new(
        database: Database,
        mut disks: Vec<(&'static str, PathBuf)>,
        schedule: Option<Arc<Schedule>>,
    ) -> Self {
        if let Some(folder) = schedule.as_ref().and_then(|schedule| schedule.folder()) {
            disks.push(("disk backups", folder.to_path_buf()));
        }
        Self { database, disks, schedule }
    }

    /// Never ends. If a report can't be saved, it is only missing on the page.
    pub async fn run(&self) -> Infallible {
        loop {
            if let Err(error) = self.save().await {
                tracing::debug!("the state of the system can't be reported: {error:#}");
            }
            let changed = async {
                match &self.schedule {
                    Some(schedule) => schedule.changed().await,
                    None => std::future::pending().await,
                }
            };
            let _ = tokio::time::timeout(INTERVAL, changed).await;
        }
    }

    async fn save(&self) -> anyhow::Result<()> {
        let mut reports: Vec<(&str, Value)> =
            self.disks.iter().filter_map(|(name, folder)| Some((*name, space(folder)?))).collect();
        if let Some(schedule) = &self.schedule {
            reports.push(("backups", schedule.report()));
        }
        let mut connection = self.database.connect().await?;
        let (names, data): (Vec<_>, Vec<_>) = reports.into_iter().unzip();
        sqlx::query(
            "insert into app.system_reports (name, data) select * from unnest($1::text[], $2::jsonb[])
             on conflict (name) do update set data = excluded.data, reported_at = now()",
        )
        .bind(names)
        .bind(data)
        .execute(&mut connection)
        .await?;
        Ok(sqlx::Connection::close(connection).await?)
    }
}

/// The space on the folder's disk. The folder may not exist before the first backup.
fn space(folder: &Path) -> Option<Value> {
    let existing = folder.ancestors().find(|folder| folder.exists())?;
    let (free, total) = disk::space(existing)?;
    Some(json!({ "free": free, "total": total }))
}
