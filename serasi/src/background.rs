//! Background work of `serasi up`: backups and reports.

use std::path::PathBuf;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::backup::Schedule;
use crate::database::Database;
use crate::reports;

/// Dropping it ends the tasks shortly afterwards.
pub struct Background {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Background {
    pub fn start(
        database: &Database,
        schedule: Option<Schedule>,
        disks: Vec<(&'static str, PathBuf)>,
    ) -> Self {
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
                never = reports::run(&database, disks, schedule.as_ref()) => match never {},
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
