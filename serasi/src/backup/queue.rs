//! Superadmins' requests for backups in `serasi.backups`.

use sqlx::PgConnection;

use super::place::Place;
use super::{BACKUP_LOCK, record, try_lock};
use crate::database::Database;

/// Whether a request is waiting and no program is making a backup.
const REQUESTED: &str = "
select exists (select from serasi.backups where state = 'requested') and not exists (
  select from pg_catalog.pg_locks where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_catalog.pg_database where datname = current_database())
    and (classid::bigint << 32) + objid::bigint = $1)";

pub struct Queue {
    database: Database,
    connection: Option<PgConnection>,
    is_connected: bool,
}

impl Queue {
    pub fn new(database: Database) -> Self {
        Self { database, connection: None, is_connected: true }
    }

    /// `None` if the database is unreachable.
    pub async fn has_request(&mut self, place: &Place) -> Option<bool> {
        let found = self.query(place).await;
        let was_connected = std::mem::replace(&mut self.is_connected, found.is_ok());
        match found {
            Ok(requested) => Some(requested),
            Err(error) => {
                self.connection = None;
                if was_connected {
                    tracing::warn!("requests for backups can't be read: {error:#}");
                }
                None
            }
        }
    }

    async fn query(&mut self, place: &Place) -> anyhow::Result<bool> {
        if self.connection.is_none() {
            let mut connection = self.database.connect().await?;
            clean_up(&mut connection, place).await?;
            self.connection = Some(connection);
        }
        let Some(connection) = &mut self.connection else { return Ok(false) };
        Ok(sqlx::query_scalar(REQUESTED).bind(BACKUP_LOCK).fetch_one(connection).await?)
    }
}

/// Whether a request is waiting.
///
/// # Errors
/// When the database can't be read.
pub async fn has_open(connection: &mut PgConnection) -> sqlx::Result<bool> {
    let question = "select exists (select from serasi.backups where state = 'requested')";
    sqlx::query_scalar(question).fetch_one(connection).await
}

/// Removes the files of a killed backup, unless a backup is running.
async fn clean_up(connection: &mut PgConnection, place: &Place) -> anyhow::Result<()> {
    if !try_lock(connection, BACKUP_LOCK).await? {
        return Ok(());
    }
    let cleaned = async {
        record::end_interrupted(connection).await?;
        place.remove_incomplete().await
    };
    if let Err(error) = cleaned.await {
        tracing::warn!("an unfinished backup can't be removed: {error:#}");
    }
    sqlx::query("select pg_advisory_unlock($1)").bind(BACKUP_LOCK).execute(connection).await?;
    Ok(())
}
