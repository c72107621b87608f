//! Copies the images of a snapshot into the archive.

use std::io::ErrorKind;

use anyhow::Context;
use sqlx::PgConnection;
use storage_service::archive::Blobs;

use super::Job;
use super::archive::{OBJECTS, Writer};
use super::record::Record;
use crate::storage_check;

/// The versions of the images, and their sizes according to the snapshot's rows.
///
/// # Errors
/// When the rows can't be read.
pub async fn named(connection: &mut PgConnection) -> sqlx::Result<Vec<(String, i64)>> {
    let named = sqlx::query_as(
        "select version, max(coalesce((metadata ->> 'size')::bigint, 0)) from storage.objects
         where version is not null group by version order by version",
    );
    named.fetch_all(connection).await
}

impl Job<'_> {
    /// Copies all images. They never change, so only a deleted one can be missing.
    ///
    /// # Errors
    /// When an image can't be read or the backup can't be written.
    pub async fn save_pictures(
        &self,
        named: &[(String, i64)],
        archive: &mut Writer,
        connection: &mut PgConnection,
        record: &mut Record,
    ) -> anyhow::Result<()> {
        let config = storage_check::config(self.env, &self.options.data_dir.data_dir, &self.database)?;
        let blobs = Blobs::open(config).await?;
        if !named.is_empty() {
            blobs.present().await.context("the pictures can't be read")?;
        }
        let mut missing = Vec::new();
        let bar = self.progress.bar("Saving pictures", named.len() as u64);
        for (done, (version, bytes)) in (0..).zip(named) {
            bar.inc(1);
            record.progress("pictures", done, named.len() as u64).await;
            match blobs.read(version, u64::try_from(*bytes).unwrap_or_default()).await {
                Ok(Some(content)) => {
                    archive.add(&format!("{OBJECTS}{version}"), content.len() as u64, &content[..])?;
                }
                Err(error) if !matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidInput) => {
                    return Err(error).context("a picture can't be read");
                }
                _ => missing.push(version.as_str()),
            }
        }
        bar.finish_and_clear();
        // A picture whose row was deleted in the meantime is not lost.
        let lost = sqlx::query_scalar("select count(*) from storage.objects where version = any($1)");
        let lost: i64 = lost.bind(missing).fetch_one(connection).await?;
        if lost > 0 {
            eprintln!(
                "  {lost} objects have lost their file and are saved without it: `serasi storage check` lists them"
            );
        }
        Ok(())
    }
}
