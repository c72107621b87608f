//! Databases of earlier versions are upgraded while requests run. `upgrades/README.md` describes how the
//! dumps were made.

pub(crate) mod bridge;
mod catalog;
mod kept;
mod load;
mod locks;
mod newer;
mod releases;
mod rows;
mod steps;

use crate::support::EmptyDatabase;
use load::Load;

/// Upgrades a database with the old schema in use, then compares it with a new one.
#[tokio::test]
async fn requests_succeed_while_the_last_schema_of_migrations_is_upgraded() {
    let (fresh, mut new) = EmptyDatabase::migrated().await;
    let database = EmptyDatabase::restored(bridge::DUMP).await;
    let mut connection = database.connect().await;
    let before = rows::digests(&mut connection).await;
    let load = Load::start(&database.options(), &mut connection).await;

    db::migrate(&mut connection, |_| ()).await.expect("upgrade");

    let outcome = load.finish().await;
    assert_eq!(outcome.failures, Vec::<String>::new(), "of {} requests", outcome.requests);
    assert_eq!(rows::lost(&before, &rows::digests(&mut connection).await), Vec::<String>::new());
    catalog::assert_equal(&mut connection, &mut new).await;
    drop(database);
    drop(fresh);
}
