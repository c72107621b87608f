//! Restoring a backup of an earlier version gives the same result as an upgrade in place.

use super::{Site, succeeded};
use test_support::database::TestDatabase;

async fn restore_and_upgrade(dump: &[u8]) {
    let site = Site::of(TestDatabase::restored(dump).await);
    // The dumps refer to pictures, but contain none.
    std::fs::create_dir(site.storage.path().join("blobs")).unwrap();
    std::fs::write(site.storage.path().join("blobs/.serasi-blobs"), "").unwrap();
    let place = tempfile::tempdir().unwrap();
    site.backup(place.path());
    let restored = Site::empty().await;
    succeeded(&restored.restore(place.path()));

    db::migrate(&mut site.connect().await, |_| ()).await.unwrap();
    assert_eq!(without_key(restored.rows().await), without_key(site.rows().await));
}

/// Each of the two migrations makes a key of its own.
fn without_key(mut rows: Vec<(String, i64, Option<String>)>) -> Vec<(String, i64, Option<String>)> {
    rows.retain(|(table, ..)| table != "app.hash_key");
    rows
}

#[tokio::test]
async fn a_backup_of_the_first_version_is_upgraded() {
    restore_and_upgrade(include_bytes!("../../../../db/tests/upgrades/migration-0012.sql.gz")).await;
}

#[tokio::test]
async fn a_backup_of_a_later_version_is_upgraded() {
    restore_and_upgrade(include_bytes!("../../../../db/tests/upgrades/migration-0026.sql.gz")).await;
}

#[tokio::test]
async fn a_backup_of_the_last_version_with_separate_transactions_is_upgraded() {
    restore_and_upgrade(include_bytes!("../../../../db/tests/upgrades/migration-0032.sql.gz")).await;
}
