//! The reviewed structure in `schema.snapshot`.

use crate::support::EmptyDatabase;

#[tokio::test]
async fn a_new_database_has_the_reviewed_structure() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let reviewed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.snapshot"));

    let found = db::snapshot(&mut connection).await.expect("read the structure");

    let difference = db::difference(&reviewed.unwrap_or_default(), &found);
    assert!(
        difference.is_empty(),
        "db/schema.snapshot differs. If this is what you intended, run `cargo xtask schema`:\n{difference}"
    );
    drop(database);
}
