//! Background work: backups, and reports to the database once per minute: the space on the disks, and when backups are due. `/superadmin/health` shows them.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::backup::Schedule;
use crate::database::Database;
use crate::postgres::disk;

const INTERVAL: Duration = Duration::from_secs(60);

/// A name in `serasi.system_reports`, and a folder.
pub type Disk = (&'static str, PathBuf);

/// Dropping it ends the tasks shortly afterwards.
pub struct Background {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Background {
    pub fn start(database: &Database, schedule: Option<Arc<Schedule>>, disks: Vec<Disk>) -> Self {
        let (stop, stopped) = oneshot::channel();
        let stopped = async move { drop(stopped.await) };
        let database = database.handle();
        let task = tokio::spawn(async move {
            let back_up = async {
                match &schedule {
                    Some(schedule) => schedule.run(database.handle(), stopped).await,
                    None => stopped.await,
                }
            };
            tokio::select! {
                () = back_up => (),
                never = report(&database, disks, schedule.as_deref()) => match never {},
            }
        });
        Self { stop, task }
    }

    /// Waits until a running backup has removed its files.
    pub async fn stop(self) {
        drop(self.stop);
        let _ = self.task.await;
    }
}

/// Never ends. If a report can't be saved, it is only missing on the page.
async fn report(database: &Database, mut disks: Vec<Disk>, schedule: Option<&Schedule>) -> Infallible {
    let backups = schedule.and_then(Schedule::folder).map(|folder| ("disk backups", folder.to_path_buf()));
    disks.extend(backups);
    loop {
        if let Err(error) = save(database, &disks, schedule).await {
            tracing::debug!("the state of the system can't be reported: {error:#}");
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

async fn save(database: &Database, disks: &[Disk], schedule: Option<&Schedule>) -> anyhow::Result<()> {
    let disks = disks.iter().filter_map(|(name, folder)| Some((*name, space(folder)?)));
    let (mut names, mut data): (Vec<&str>, Vec<Value>) = disks.unzip();
    if let Some(schedule) = schedule {
        names.push("backups");
        data.push(schedule.report().await);
    }
    let mut connection = database.connect().await?;
    sqlx::query(
        "insert into serasi.system_reports (name, data) select * from unnest($1::text[], $2::jsonb[])
         on conflict (name) do update set data = excluded.data, reported_at = now()",
    )
    .bind(names)
    .bind(data)
    .execute(&mut connection)
    .await?;
    Ok(sqlx::Connection::close(connection).await?)
}

/// The space on the folder's disk. The folder may not exist before the first backup.
fn space(folder: &Path) -> Option<Value> {
    let existing = folder.ancestors().find(|folder| folder.exists())?;
    let (free, total) = disk::space(existing)?;
    Some(json!({ "free": free, "total": total }))
}
