//! What `serasi restore` rejects before it changes anything.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

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

    fn change_manifest(&self, change: impl FnOnce(&mut Value)) {
        let file = self.backup().join("manifest.json");
        let mut manifest = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        change(&mut manifest);
        std::fs::write(file, manifest.to_string()).unwrap();
    }

    /// Nothing has changed, and the message says why.
    async fn assert_refused(&self, reason: &str) {
        let message = refusal(&self.target.restore(&self.backup()));
        assert!(message.contains(reason), "{message}");
        assert!(self.target.pictures().is_empty());
        let schemas = "pg_namespace where nspname in ('app', 'auth', 'storage', 'migration')";
        assert_eq!(super::count(&mut self.target.connect().await, schemas).await, 0);
    }
}

/// Changes one byte in the middle.
fn damage(file: &Path) {
    let mut content = std::fs::read(file).unwrap();
    let middle = content.len() / 2;
    content[middle] ^= 1;
    std::fs::write(file, content).unwrap();
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_a_mended_one_is_not() {
    let case = Case::new().await;
    let backup = case.backup();
    let table = backup.join("tables/app.influencers.gz");
    let intact = std::fs::read(&table).unwrap();
    damage(&table);
    case.assert_refused("tables/app.influencers.gz is damaged").await;
    std::fs::remove_file(&table).unwrap();
    case.assert_refused("tables/app.influencers.gz is missing").await;
    std::fs::write(&table, intact).unwrap();

    let list = std::fs::read_to_string(backup.join("pictures.txt")).unwrap();
    let version = list.lines().last().unwrap().split(' ').next().unwrap();
    let picture = backup.join("pictures").join(&version[..2]).join(version);
    let intact = std::fs::read(&picture).unwrap();
    std::fs::write(&picture, b"another picture").unwrap();
    case.assert_refused("is damaged").await;
    std::fs::write(&picture, intact).unwrap();
    succeeded(&case.target.restore(&backup));
}

#[tokio::test]
async fn a_foreign_or_newer_backup_is_refused() {
    let case = Case::new().await;
    let file = case.backup().join("manifest.json");
    let intact = std::fs::read(&file).unwrap();
    for text in ["", "{}", r#"{"product": "other", "format": 1}"#] {
        std::fs::write(&file, text).unwrap();
        case.assert_refused("it is not a backup of Serasi").await;
    }
    std::fs::write(&file, &intact).unwrap();
    case.change_manifest(|manifest| manifest["format"] = json!(99));
    case.assert_refused("format 99").await;
    std::fs::write(&file, &intact).unwrap();
    case.change_manifest(|manifest| {
        manifest["migrations"].as_array_mut().unwrap().push(json!({ "version": 9999, "checksum": "00" }));
    });
    case.assert_refused("made by a newer Serasi").await;
    std::fs::write(&file, &intact).unwrap();
    case.change_manifest(|manifest| manifest["migrations"][0]["checksum"] = json!("00"));
    case.assert_refused("migration 1 differs").await;
    std::fs::write(&file, &intact).unwrap();
    case.change_manifest(|manifest| manifest["tables"][0]["name"] = json!("../../etc/passwd"));
    case.assert_refused("is not a table").await;
    std::fs::remove_file(&file).unwrap();
    let message = refusal(&case.target.restore(&case.backup()));
    assert!(message.contains("it is not a complete backup"), "{message}");
}

/// The hashes are right, but the rows don't fit the table. Only the database detects this.
#[tokio::test]
async fn a_restore_that_fails_in_the_database_leaves_it_empty() {
    let case = Case::new().await;
    case.change_manifest(|manifest| {
        let tables = manifest["tables"].as_array_mut().unwrap();
        let rows = tables.last_mut().unwrap();
        rows["rows"] = json!(rows["rows"].as_u64().unwrap() + 1);
    });
    case.assert_refused("and the manifest says").await;
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
    let list = std::fs::read_to_string(case.backup().join("pictures.txt")).unwrap();
    let version = list.split(' ').next().unwrap();
    let folder = case.target.storage.path().join("blobs").join(&version[..2]);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(version), "half").unwrap();
    succeeded(&case.target.restore(case.place.path()));
    assert_eq!(case.target.pictures().len(), 3);
}
