//! Opens all storage outside the database.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use platform::env::ConfigError;

use crate::backend::Backend;
use crate::backend::disk::Disk;
use crate::backend::s3::{S3, S3Config};
use crate::render::variants::Variants;
use crate::shares::ShareLimits;
use crate::staging::Staging;

pub(crate) struct Stores {
    pub blobs: Arc<dyn Backend>,
    pub staging: Staging,
    pub variants: Variants,
}

/// # Errors
/// When a folder or the S3 address can't be used. The error names the setting.
pub(crate) async fn open(
    dir: PathBuf,
    s3: Option<S3Config>,
    variants_bytes: u64,
    staging: ShareLimits,
) -> Result<Stores, ConfigError> {
    let s3 = s3.map(|s3| S3::open(&s3)).transpose();
    let s3 = s3.map_err(|error| ConfigError::new("S3_ENDPOINT", format!("can't be used: {error}")))?;
    let directory = dir.display().to_string();
    let opening = tokio::task::spawn_blocking(move || {
        let blobs: Arc<dyn Backend> = match s3 {
            Some(s3) => {
                // With S3, the directory holds only temporary data.
                std::fs::create_dir_all(&dir)?;
                Arc::new(s3)
            }
            None => Arc::new(Disk::open(&dir)?),
        };
        let variants = Variants::open(&dir, variants_bytes)?;
        Ok::<_, io::Error>(Stores { blobs, staging: Staging::open(&dir, staging)?, variants })
    });
    let opened = opening.await.map_err(io::Error::other).flatten();
    opened.map_err(|error| ConfigError::new("STORAGE_DIR", format!("`{directory}` can't be used: {error}")))
}
