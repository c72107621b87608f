//! No session with privileges resolves a name in a schema in which others create objects.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::EmptyDatabase;

/// How programs connect to PostgreSQL.
const CONNECTS: [&str; 5] =
    ["PgConnection::connect", "connect_with(", "connect_lazy", "tokio_postgres::connect", ".connect(NoTls)"];

/// The places that connect, and why their sessions are pinned.
const PINNED: [(&str, &str); 6] = [
    ("db/src/lib.rs", "sets the path"),
    ("platform/src/database/server.rs", "sets the path"),
    ("bench/src/product.rs", "sets the path"),
    ("platform/src/database.rs", "pools of the services' logins, whose roles have the path"),
    ("platform/src/database/notifications.rs", "as the pools"),
    ("platform/src/database/pool.rs", "as the pools"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("read the folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_pinned_places_connect_to_the_database() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    for entry in fs::read_dir(root).expect("read the workspace") {
        let folder = entry.expect("entry").path();
        // Tests connect as superusers to databases of their own.
        if folder.join("src").is_dir() && !folder.ends_with("test-support") {
            sources(&folder.join("src"), &mut files);
        }
    }
    assert!(files.len() > 300, "only {} files", files.len());
    let others: Vec<String> = files
        .iter()
        .filter_map(|path| Some((path.strip_prefix(root).ok()?.display().to_string(), path)))
        .filter(|(name, _)| !PINNED.iter().any(|(pinned, _)| pinned == name))
        .filter(|(_, path)| {
            let text = fs::read_to_string(path).expect("read the file");
            CONNECTS.iter().any(|connect| text.contains(connect))
        })
        .map(|(name, _)| name)
        .collect();
    assert_eq!(others, Vec::<String>::new(), "connect with db::connect or platform::database::pinned");
}

#[tokio::test]
async fn logins_and_functions_resolve_names_in_pg_catalog() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let unpinned: Vec<String> = sqlx::query_scalar(
        "select rolname::text from pg_roles where rolname in ('authenticator', 'auth_admin', 'storage_admin', 'functions_admin')
           and not 'search_path=pg_catalog, pg_temp' = any (rolconfig)
         union all
         -- The bodies of the others are parsed when they are created, or qualify every name (see lints/access.sql).
         select oid::regprocedure::text from pg_proc
         where proowner = 'serasi_owner'::regrole and prosecdef and prosqlbody is null
           and 'search_path=pg_catalog, pg_temp' <> all (coalesce(proconfig, '{}'))",
    )
    .fetch_all(&mut connection)
    .await
    .expect("read the catalog");
    assert_eq!(unpinned, Vec::<String>::new());
    drop(database);
}
