//! Blobs as objects of an S3 bucket: `blobs/<first two letters>/<version>`.

use std::io;
use std::ops::Range;
use std::time::Duration;

use axum::body::{Body, Bytes};
use chrono::DateTime;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use platform::secret::Secret;
use s3::creds::Credentials;
use s3::error::S3Error;
use s3::serde_types::Object;
use s3::{Bucket, Region};
use url::Url;

use super::{Backend, Listed, Unavailable, too_short};
use crate::domain::version::Version;
use crate::staging::Staged;

/// The size of one range request. A client that reads slowly holds this much memory and no connection.
const PART: u64 = 1024 * 1024;
/// How long one attempt of a request may take. Reads are tried twice, a second apart, so that a client gets
/// its error before proxies usually time out.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
/// How many times longer an attempt to write may take. The largest body is 8 MB, which takes 20 s at 3.2
/// Mbit/s.
const WRITING: f64 = 2.5;
/// Listing this prefix shows whether the bucket exists and our key has access.
const PROBE: &str = "blobs/ready";

/// The address of the bucket, and the key.
#[derive(Debug, Clone)]
pub struct S3Config {
    pub endpoint: Url,
    pub region: String,
    pub bucket: String,
    pub access_key_id: String,
    pub secret_access_key: Secret,
    pub request_timeout: Duration,
}

pub struct S3 {
    bucket: Box<Bucket>,
    /// The same bucket with a longer timeout.
    writing: Box<Bucket>,
}

impl S3 {
    /// Does not contact the server yet.
    ///
    /// # Errors
    /// Fails when the settings form no valid address.
    pub fn open(config: &S3Config) -> Result<Self, S3Error> {
        let endpoint = config.endpoint.as_str().trim_end_matches('/').to_owned();
        let region = Region::Custom { region: config.region.clone(), endpoint };
        let (id, secret) = (config.access_key_id.as_str(), config.secret_access_key.expose());
        let credentials = Credentials::new(Some(id), Some(secret), None, None, None)?;
        // Path style puts the bucket's name into the path; the other style needs a host name per bucket.
        let mut bucket = Bucket::new(&config.bucket, region, credentials)?.with_path_style();
        bucket.set_request_timeout(Some(config.request_timeout));
        let writing = bucket.with_request_timeout(config.request_timeout.mul_f64(WRITING))?;
        Ok(Self { bucket, writing })
    }

    pub(crate) fn into_bucket(self) -> Box<Bucket> {
        self.bucket
    }
}

fn key(version: Version) -> String {
    let name = version.to_string();
    format!("blobs/{}/{name}", &name[..2])
}

impl Backend for S3 {
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            let mut file = tokio::fs::File::open(&staged.path).await?;
            let put = self.writing.put_object_stream(&mut file, key(version)).await.map_err(failure)?;
            // If the file shrank in the meantime, the blob would be shorter than the size in its row.
            if u64::try_from(put.uploaded_bytes()).ok() != Some(staged.size) {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "not all bytes reached the bucket"));
            }
            Ok(())
        })
    }

    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>> {
        Box::pin(async move {
            if range.is_empty() {
                return Ok(Body::empty());
            }
            let (bucket, end) = (self.bucket.clone(), range.end);
            // The first part shows whether the blob exists.
            let first = part(&bucket, version, &range).await?;
            let next = range.start + first.len() as u64;
            let rest = stream::try_unfold((bucket, next), move |(bucket, next)| async move {
                if next == end {
                    return Ok::<_, io::Error>(None);
                }
                let bytes = part(&bucket, version, &(next..end)).await?;
                let next = next + bytes.len() as u64;
                Ok(Some((bytes, (bucket, next))))
            });
            Ok(Body::from_stream(stream::once(async move { Ok(first) }).chain(rest)))
        })
    }

    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            self.writing.copy_object_internal(key(from), key(to)).await.map_err(failure)?;
            Ok(())
        })
    }

    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            match self.bucket.delete_object(key(version)).await.map_err(failure) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        })
    }

    fn present(&self) -> BoxFuture<'_, io::Result<()>> {
        self.ready()
    }

    /// The operator creates the bucket.
    fn prepare(&self) -> BoxFuture<'_, io::Result<()>> {
        self.ready()
    }

    fn holds(&self, version: Version) -> BoxFuture<'_, io::Result<bool>> {
        Box::pin(async move {
            match self.bucket.head_object(key(version)).await.map_err(failure) {
                Ok(_) => Ok(true),
                // HEAD responses have no body that could tell a missing object from a missing bucket.
                Err(error) if error.kind() == io::ErrorKind::NotFound => self.ready().await.map(|()| false),
                Err(error) => Err(error),
            }
        })
    }

    fn list(&self, first_byte: u8) -> BoxFuture<'_, io::Result<Vec<Listed>>> {
        Box::pin(async move {
            let pages = self.bucket.list(format!("blobs/{first_byte:02x}/"), None).await.map_err(failure)?;
            Ok(pages.iter().flat_map(|page| &page.contents).filter_map(listed).collect())
        })
    }

    fn ready(&self) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            let page = self.bucket.list_page(PROBE.to_owned(), None, None, None, Some(1));
            page.await.map_err(failure)?;
            Ok(())
        })
    }
}

/// `None` for objects that are not ours.
fn listed(object: &Object) -> Option<Listed> {
    let version = Version::of_name(object.key.rsplit('/').next()?)?;
    let since = DateTime::parse_from_rfc3339(&object.last_modified).ok()?;
    Some(Listed { version, size: object.size, since: since.into() })
}

/// Reads the first part of a range, up to [`PART`] bytes.
async fn part(bucket: &Bucket, version: Version, range: &Range<u64>) -> io::Result<Bytes> {
    let end = range.end.min(range.start + PART);
    let answer = bucket.get_object_range(key(version), range.start, Some(end - 1)).await.map_err(failure)?;
    let bytes = answer.bytes().clone();
    if bytes.len() as u64 == end - range.start {
        return Ok(bytes);
    }
    Err(too_short())
}

pub(crate) fn failure(error: S3Error) -> io::Error {
    let kind = match &error {
        S3Error::HttpFailWithBody(404, body) if body.contains("NoSuchBucket") => io::ErrorKind::Other,
        S3Error::HttpFailWithBody(404, _) => io::ErrorKind::NotFound,
        S3Error::HttpFailWithBody(507, _) => io::ErrorKind::StorageFull,
        S3Error::HttpFailWithBody(_, body) if body.contains("<Code>QuotaExceeded") => {
            io::ErrorKind::StorageFull
        }
        S3Error::HttpFailWithBody(400..=499, _) => io::ErrorKind::Other,
        // No response, or a server error.
        _ => return Unavailable::error(error.to_string()),
    };
    io::Error::new(kind, error)
}
