//! Compares the stored blobs with the rows. A crash or an unclear commit leaves orphaned blobs, which only
//! waste space. A row without its blob is data loss: it is reported, and deleted only on request.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use platform::database::{Database, Pool};

use crate::backend::{Backend, Listed};
use crate::config::Config;
use crate::domain::version::Version;
use crate::error::Result;
use crate::render::variants::Variants;
use crate::store::orphans::{self, Named};
use crate::stores;

/// Rows per query.
const BATCH: i64 = 1000;

#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub remove_blobs: bool,
    pub remove_rows: bool,
    /// A younger blob may belong to an upload whose row is not committed yet.
    pub minimum_age: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A blob without a row.
    OrphanedBlob { version: String, bytes: u64 },
    /// An object whose blob is missing.
    MissingBlob { bucket: String, name: String },
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    pub blobs: u64,
    pub objects: u64,
    pub orphaned_blobs: u64,
    pub orphaned_bytes: u64,
    pub missing_blobs: u64,
}

/// Runs the check from the command line, with the service's settings but without the service.
///
/// # Errors
/// Fails when the database or the blob store can't be read.
pub async fn check(
    config: Config,
    options: Options,
    report: impl FnMut(&Finding),
) -> anyhow::Result<Summary> {
    let pool = Database::new(config.database, config.database_limits).pool(2);
    let stores = stores::open(config.dir, config.s3, config.variants_bytes, config.staging).await?;
    let checker = Checker { pool, backend: stores.blobs, variants: stores.variants };
    Ok(checker.check(options, report).await?)
}

#[derive(Clone)]
pub struct Checker {
    /// Connects as `storage_admin` or the owner, who see every row.
    pub pool: Pool,
    pub backend: Arc<dyn Backend>,
    pub variants: Variants,
}

impl Checker {
    /// Checks one 256th of the blobs at a time, to bound the memory for their names.
    ///
    /// # Errors
    /// Fails when the database or the blob store can't be read; nothing more is removed then.
    pub async fn check(&self, options: Options, mut report: impl FnMut(&Finding)) -> Result<Summary> {
        self.backend.present().await?;
        let mut summary = Summary::default();
        for first_byte in 0..=u8::MAX {
            let there = self.blobs(first_byte, options, &mut summary, &mut report).await?;
            self.rows(first_byte, &there, options, &mut summary, &mut report).await?;
        }
        Ok(summary)
    }

    async fn blobs(
        &self,
        first_byte: u8,
        options: Options,
        summary: &mut Summary,
        report: &mut impl FnMut(&Finding),
    ) -> Result<HashSet<Version>> {
        let blobs = self.backend.list(first_byte).await?;
        summary.blobs += blobs.len() as u64;
        let age = |blob: &Listed| blob.since.elapsed().unwrap_or_default();
        let old: Vec<_> = blobs.iter().filter(|blob| age(blob) >= options.minimum_age).collect();
        let versions: Vec<_> = old.iter().map(|blob| blob.version).collect();
        let named = orphans::named(&mut *self.pool.acquire().await?, &versions).await?;
        for blob in old.iter().filter(|blob| !named.contains(&blob.version)) {
            summary.orphaned_blobs += 1;
            summary.orphaned_bytes += blob.size;
            report(&Finding::OrphanedBlob { version: blob.version.to_string(), bytes: blob.size });
            if options.remove_blobs {
                self.backend.remove(blob.version).await?;
                self.variants.remove_soon(blob.version).await;
            }
        }
        Ok(blobs.iter().map(|blob| blob.version).collect())
    }

    async fn rows(
        &self,
        first_byte: u8,
        there: &HashSet<Version>,
        options: Options,
        summary: &mut Summary,
        report: &mut impl FnMut(&Finding),
    ) -> Result<()> {
        let mut after = String::new();
        loop {
            let rows = orphans::rows(&mut *self.pool.acquire().await?, first_byte, &after, BATCH).await?;
            summary.objects += rows.len() as u64;
            for row in &rows {
                if self.lacks_its_blob(row, there).await? {
                    summary.missing_blobs += 1;
                    report(&Finding::MissingBlob { bucket: row.bucket_id.clone(), name: row.name.clone() });
                    if options.remove_rows {
                        let mut transaction = self.pool.begin().await?;
                        orphans::delete(&mut transaction, row).await?;
                        transaction.commit().await?;
                    }
                }
            }
            match rows.last() {
                Some(last) if rows.len() as i64 == BATCH => after.clone_from(&last.version),
                _ => return Ok(()),
            }
        }
    }

    /// Checks again, because the object may have been uploaded or replaced since the blobs were listed.
    async fn lacks_its_blob(&self, row: &Named, there: &HashSet<Version>) -> Result<bool> {
        let version = Version::parse(&row.version);
        if version.is_some_and(|version| there.contains(&version)) {
            return Ok(false);
        }
        if let Some(version) = version
            && self.backend.holds(version).await?
        {
            return Ok(false);
        }
        orphans::still_names(&mut *self.pool.acquire().await?, row).await
    }
}
