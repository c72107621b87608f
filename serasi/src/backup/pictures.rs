//! The pictures of a backup: one file each, named by their version, and a list of their hashes.

use std::fmt::Write;
use std::io::ErrorKind;

use anyhow::Context;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use storage_service::archive::Blobs;

use super::draft::Draft;
use super::manifest::{Contents, Pictures, hex};
use super::record::{Record, Step};
use crate::progress::Progress;

pub const LIST: &str = "pictures.txt";

pub struct Picture {
    pub version: String,
    pub bytes: u64,
    sha256: String,
}

impl Picture {
    pub fn file_name(&self) -> String {
        file_name(&self.version)
    }

    /// Whether this is the picture's content.
    pub fn has(&self, content: &[u8]) -> bool {
        content.len() as u64 == self.bytes && hex(Sha256::digest(content)) == self.sha256
    }
}

fn file_name(version: &str) -> String {
    format!("pictures/{}/{version}", version.get(..2).unwrap_or_default())
}

/// A version and its size according to the snapshot's row.
pub struct Named {
    pub version: String,
    pub bytes: u64,
}

/// Copies all pictures of the snapshot. Pictures never change, so only a deleted one can be missing.
///
/// # Errors
/// When the pictures can't be read or the backup can't be written.
pub async fn save(
    blobs: &Blobs,
    named: &[Named],
    draft: &Draft<'_>,
    connection: &mut PgConnection,
    progress: &Progress,
    record: &mut Record,
) -> anyhow::Result<Pictures> {
    if !named.is_empty() {
        blobs.present().await.context("the pictures can't be read")?;
    }
    let (mut list, mut missing) = (String::new(), Vec::new());
    let (mut count, mut bytes) = (0, 0);
    let bar = progress.bar("Saving pictures", named.len() as u64);
    for (done, picture) in (0..).zip(named) {
        bar.inc(1);
        record.progress(Step::Pictures, done, named.len() as u64).await;
        let content = match blobs.read(&picture.version, picture.bytes).await {
            Ok(Some(content)) => content,
            Ok(None) => {
                missing.push(picture.version.as_str());
                continue;
            }
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidInput) => {
                missing.push(picture.version.as_str());
                continue;
            }
            Err(error) => return Err(error).context("a picture can't be read"),
        };
        draft.put(&file_name(&picture.version), &content).await?;
        let _ = writeln!(list, "{} {} {}", picture.version, picture.bytes, hex(Sha256::digest(&content)));
        (count, bytes) = (count + 1, bytes + picture.bytes);
    }
    bar.finish_and_clear();
    warn_about_lost(&missing, connection).await?;
    draft.put(LIST, list.as_bytes()).await?;
    let contents = Contents { bytes: list.len() as u64, sha256: hex(Sha256::digest(&list)) };
    Ok(Pictures { count, bytes, missing: missing.len() as u64, list: contents })
}

/// A picture whose row was deleted in the meantime is not lost.
async fn warn_about_lost(missing: &[&str], connection: &mut PgConnection) -> anyhow::Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let lost: i64 = sqlx::query_scalar("select count(*) from storage.objects where version = any($1)")
        .bind(missing)
        .fetch_one(connection)
        .await?;
    if lost > 0 {
        eprintln!(
            "  {lost} objects have lost their file and are saved without it: `serasi storage check` lists them"
        );
    }
    Ok(())
}

/// # Errors
/// When a line is malformed.
pub fn parse_list(text: &[u8]) -> anyhow::Result<Vec<Picture>> {
    let text = str::from_utf8(text).context("it is not text").context(LIST)?;
    let parse = |line: &str| {
        let mut words = line.split(' ');
        let (version, bytes, sha256) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
        // A version becomes a file name.
        let is_version = version.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
        is_version.then(|| Picture { version: version.to_owned(), bytes, sha256: sha256.to_owned() })
    };
    text.lines().map(|line| parse(line).with_context(|| format!("{LIST} is damaged"))).collect()
}
