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
    /// When the bucket can't be written.
    pub async fn put(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.bucket.put_object(self.key(name), content).await.map_err(failure)?;
        Ok(())
    }

    /// # Errors
    /// When the file can't be read or the bucket can't be written.
    pub async fn put_file(&self, name: &str, file: &Path) -> io::Result<()> {
        let mut file = tokio::fs::File::open(file).await?;
        self.bucket.put_object_stream(&mut file, self.key(name)).await.map_err(failure)?;
        Ok(())
    }

    /// # Errors
    /// When the object does not exist or can't be read.
    pub async fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        Ok(self.bucket.get_object(self.key(name)).await.map_err(failure)?.to_vec())
    }

    /// # Errors
    /// When the object does not exist, or the file can't be written.
    pub async fn get_file(&self, name: &str, file: &Path) -> io::Result<()> {
        let mut file = tokio::fs::File::create(file).await?;
        self.bucket.get_object_to_writer(self.key(name), &mut file).await.map_err(failure)?;
        tokio::io::AsyncWriteExt::flush(&mut file).await
    }

    /// The names of the folders in this folder.
    ///
    /// # Errors
    /// When the bucket can't be listed.
    pub async fn folders(&self) -> io::Result<Vec<String>> {
        let pages = self.bucket.list(self.prefix.clone(), Some("/".to_owned())).await.map_err(failure)?;
        let folders = pages.into_iter().filter_map(|page| page.common_prefixes).flatten();
        let name = |prefix: &str| {
            prefix.strip_prefix(&self.prefix).map(|name| name.trim_end_matches('/').to_owned())
        };
        Ok(folders.filter_map(|folder| name(&folder.prefix)).collect())
    }

    /// Removes a folder with all its objects; those named `first` go before the others.
    ///
    /// # Errors
    /// When an object can't be removed.
    pub async fn remove(&self, folder: &str, first: &str) -> io::Result<()> {
        let first = self.key(&format!("{folder}/{first}"));
        self.bucket.delete_object(&first).await.map_err(failure)?;
        let pages = self.bucket.list(self.key(&format!("{folder}/")), None).await.map_err(failure)?;
        for object in pages.into_iter().flat_map(|page| page.contents) {
            self.bucket.delete_object(object.key).await.map_err(failure)?;
        }
        Ok(())
    }
}
