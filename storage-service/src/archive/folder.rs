//! A folder of backups in an S3 bucket.

use std::io;
use std::path::Path;
use std::time::Duration;

use s3::Bucket;

use crate::backend::s3::{S3, S3Config, failure};

/// Longer than for images, because the server for backups may be far away.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

pub struct S3Folder {
    bucket: Box<Bucket>,
    /// The prefix: empty, or ends with a slash.
    prefix: String,
}

impl S3Folder {
    /// The bucket may differ from that of the blobs; server and key are the same.
    ///
    /// # Errors
    /// When the settings form no valid address.
    pub fn open(config: &S3Config, bucket: &str, prefix: &str) -> io::Result<Self> {
        let config =
            S3Config { bucket: bucket.to_owned(), request_timeout: REQUEST_TIMEOUT, ..config.clone() };
        let prefix = prefix.trim_matches('/');
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let bucket = S3::open(&config).map_err(failure)?.into_bucket();
        Ok(Self { bucket, prefix })
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// # Errors
    /// When the file can't be read or the bucket can't be written.
    pub async fn put_file(&self, name: &str, file: &Path) -> io::Result<()> {
        let mut file = tokio::fs::File::open(file).await?;
        self.bucket.put_object_stream(&mut file, self.key(name)).await.map_err(failure)?;
        Ok(())
    }

    /// # Errors
    /// When the object does not exist, or the file can't be written.
    pub async fn get_file(&self, name: &str, file: &Path) -> io::Result<()> {
        let mut file = tokio::fs::File::create(file).await?;
        self.bucket.get_object_to_writer(self.key(name), &mut file).await.map_err(failure)?;
        tokio::io::AsyncWriteExt::flush(&mut file).await
    }

    /// The names of the objects in this folder.
    ///
    /// # Errors
    /// When the bucket can't be listed.
    pub async fn files(&self) -> io::Result<Vec<String>> {
        let pages = self.bucket.list(self.prefix.clone(), Some("/".to_owned())).await.map_err(failure)?;
        let objects = pages.into_iter().flat_map(|page| page.contents);
        Ok(objects.filter_map(|object| Some(object.key.strip_prefix(&self.prefix)?.to_owned())).collect())
    }

    /// # Errors
    /// When the object can't be removed.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        self.bucket.delete_object(self.key(name)).await.map_err(failure)?;
        Ok(())
    }
}
