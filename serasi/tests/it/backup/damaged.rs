//! What `serasi restore` rejects before it changes anything.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::tampered::{Files, SUMS, file, read, write, write_with_sums};
use super::{Site, entries, succeeded};
use crate::support::refusal;

/// A backup, and an empty place to restore it into.
struct Case {
    place: tempfile::TempDir,
    target: Site,
}

impl Case {
    async fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        Site::with_demo_data().await.backup(place.path());
        Self { place, target: Site::empty().await }
    }

    fn backup(&self) -> PathBuf {
        self.place.path().join(&entries(self.place.path())[0])
    }

    /// Nothing has changed, and the message says why.
    async fn assert_refused(&self, reason: &str) {
        let message = refusal(&self.target.restore(&self.backup()));
        assert!(message.contains(reason), "{reason}: {message}");
        assert!(self.target.pictures().is_empty());
        let schemas = "pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'migration')";
        assert_eq!(super::count(&mut self.target.connect().await, schemas).await, 0);
    }
}

/// Changes one byte in the middle.
fn damage(content: &mut [u8]) {
    content[content.len() / 2] ^= 1;
}

fn changed(files: &Files, change: impl FnOnce(&mut Files)) -> Files {
    let mut files = files.clone();
    change(&mut files);
    files
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_a_mended_one_is_not() {
    let case = Case::new().await;
    let backup = case.backup();
    let intact = std::fs::read(&backup).unwrap();
    let files = read(&backup);
    for (files, reason) in [
        (changed(&files, |files| damage(file(files, "database.dump"))), "database.dump is damaged"),
        (changed(&files, |files| damage(file(files, "objects/"))), "is damaged"),
        (changed(&files, |files| drop(files.remove(2))), "is missing"),
        (changed(&files, |files| files[2].0 = "objects/passwd".to_owned()), "is not a file of a backup"),
        (changed(&files, |files| files.retain(|(name, _)| name != SUMS)), "it is not a complete backup"),
    ] {
        write(&backup, &files);
        case.assert_refused(reason).await;
    }
    for end in [intact.len() / 2, 700, 100] {
        std::fs::write(&backup, &intact[..end]).unwrap();
        case.assert_refused("can't be restored: it is").await;
    }
    // The hashes are right. Only pg_restore detects this.
    write_with_sums(&backup, &changed(&files, |files| *file(files, "database.dump") = b"a dump".to_vec()));
    case.assert_refused("nothing was restored: the dump of the database is damaged").await;
    std::fs::write(&backup, intact).unwrap();
    succeeded(&case.target.restore(&backup));
}

#[tokio::test]
async fn a_foreign_or_newer_backup_is_refused() {
    let case = Case::new().await;
    let backup = case.backup();
    let files = read(&backup);
    std::fs::write(&backup, "no archive").unwrap();
    case.assert_refused("not a backup of Serasi").await;
    for text in ["", "{}", r#"{"product": "other", "format": 1}"#] {
        write_with_sums(&backup, &changed(&files, |files| files[0].1 = text.into()));
        case.assert_refused("it is not a backup of Serasi").await;
    }
    let manifest = |change: fn(&mut Value)| {
        let mut manifest: Value = serde_json::from_slice(&files[0].1).unwrap();
        change(&mut manifest);
        write_with_sums(&backup, &changed(&files, |files| files[0].1 = manifest.to_string().into_bytes()));
    };
    manifest(|manifest| manifest["format"] = json!(99));
    case.assert_refused("format 99").await;
    manifest(|manifest| {
        manifest["migrations"].as_array_mut().unwrap().push(json!({ "version": 9999, "checksum": "00" }));
    });
    case.assert_refused("made by a newer Serasi").await;
    manifest(|manifest| manifest["migrations"][0]["checksum"] = json!("00"));
    case.assert_refused("differs; restore it with the program that made it").await;

    let earlier = case.place.path().join("serasi-20260101T000000Z");
    std::fs::create_dir(&earlier).unwrap();
    std::fs::write(earlier.join("manifest.json"), "{}").unwrap();
    let message = refusal(&case.target.restore(&earlier));
    assert!(message.contains("restore it with the program that made it"), "{message}");
}

#[tokio::test]
async fn only_an_empty_place_is_restored_into() {
    let case = Case::new().await;
    let taken = Site::with_demo_data().await;
    let before = taken.rows().await;
    let message = refusal(&taken.restore(case.place.path()));
    assert!(message.contains("the database is not empty"), "{message}");
    assert_eq!(taken.rows().await, before);

    let folder = case.target.storage.path().join("blobs/5e");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("5e7a0001-0000-4000-8000-000000000101"), "a picture").unwrap();
    let message = refusal(&case.target.restore(case.place.path()));
    assert!(message.contains("the image storage is not empty"), "{message}");
    std::fs::remove_file(folder.join("5e7a0001-0000-4000-8000-000000000101")).unwrap();

    // A killed restore may have left pictures of this backup.
    let files = read(&case.backup());
    let version = files[2].0.strip_prefix("objects/").unwrap();
    let folder = case.target.storage.path().join("blobs").join(&version[..2]);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(version), "half").unwrap();
    succeeded(&case.target.restore(case.place.path()));
    assert_eq!(case.target.pictures().len(), 3);
}
