//! Finds the files of a project's storage, and compares them with their rows.

use std::fs::File;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use md5::{Digest, Md5};

/// An object as its row describes it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Object {
    pub number: i64,
    pub bucket_id: String,
    pub name: String,
    pub version: Option<String>,
    /// The object's version in Serasi, which is its file name there.
    pub new_version: String,
    pub size: Option<i64>,
    /// The ETag without quotes.
    pub etag: Option<String>,
}

#[derive(Debug)]
pub enum Found {
    /// With its size and its MD5 hash.
    File(PathBuf, u64, String),
    Missing,
    /// The file's size or hash differs from its row.
    Differs,
}

/// Looks for the file in the folder of its bucket (as `supabase storage cp -r` and `rclone copy` arrange files), and in the
/// layout of a self-hosted project's volume (`stub/stub/BUCKET/PATH/VERSION`).
///
/// # Errors
/// When a file can't be read.
pub fn find(folder: &Path, object: &Object) -> anyhow::Result<Found> {
    let Some(path) = locate(folder, object) else { return Ok(Found::Missing) };
    let (bytes, md5) = hash(&path).with_context(|| format!("{} can't be read", path.display()))?;
    let has_size = object.size.is_none_or(|size| u64::try_from(size) == Ok(bytes));
    // The ETag of a multipart upload is not a hash of its content.
    let tag = object
        .etag
        .as_deref()
        .filter(|tag| tag.len() == 32 && tag.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let has_tag = tag.is_none_or(|tag| tag.eq_ignore_ascii_case(&md5));
    Ok(if has_size && has_tag { Found::File(path, bytes, md5) } else { Found::Differs })
}

fn locate(folder: &Path, object: &Object) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    // A dump can contain any path, even one outside the folder.
    let path = Path::new(&object.bucket_id).join(&object.name);
    let is_inside = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    let version = object.version.as_deref().unwrap_or_default();
    let candidates = [folder.clone(), folder.join("stub/stub")].into_iter().flat_map(|root| {
        let file = root.join(&path);
        [file.clone(), file.join(version)]
    });
    // No part of the path is a symbolic link.
    let is_plain_file =
        |path: &PathBuf| path.is_file() && path.canonicalize().is_ok_and(|real| real == *path);
    candidates.filter(|_| is_inside(&path) && is_inside(Path::new(version))).find(is_plain_file)
}

fn hash(path: &Path) -> std::io::Result<(u64, String)> {
    let mut md5 = Md5::new();
    let bytes = std::io::copy(&mut File::open(path)?, &mut md5)?;
    Ok((bytes, format!("{:x}", md5.finalize())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn object(bucket: &str, name: &str) -> Object {
        Object {
            number: 1,
            bucket_id: bucket.into(),
            name: name.into(),
            version: Some("v1".into()),
            new_version: String::new(),
            size: Some(5),
            etag: Some("5d41402abc4b2a76b9719d911017c592".into()),
        }
    }

    #[test]
    fn both_layouts_are_found_and_compared_with_their_rows() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir_all(folder.join("photos/a")).unwrap();
        fs::create_dir_all(folder.join("stub/stub/photos/b/c.txt")).unwrap();
        fs::write(folder.join("photos/a/b.txt"), "hello").unwrap();
        fs::write(folder.join("stub/stub/photos/b/c.txt/v1"), "hello").unwrap();
        fs::write(folder.join("secret"), "hello").unwrap();
        for name in ["a/b.txt", "b/c.txt"] {
            assert!(matches!(find(folder, &object("photos", name)).unwrap(), Found::File(..)), "{name}");
        }
        for (bucket, name) in [
            ("photos", "../secret"),
            ("..", "secret"),
            ("photos", "/etc/passwd"),
            (".", "secret"),
            ("photos", "none"),
        ] {
            assert!(
                matches!(find(folder, &object(bucket, name)).unwrap(), Found::Missing),
                "{bucket} {name}"
            );
        }
        fs::write(folder.join("photos/a/b.txt"), "HELLO").unwrap();
        assert!(matches!(find(folder, &object("photos", "a/b.txt")).unwrap(), Found::Differs));
        std::os::unix::fs::symlink(folder.join("secret"), folder.join("photos/link")).unwrap();
        assert!(matches!(find(folder, &object("photos", "link")).unwrap(), Found::Missing));
    }
}
