//! Requests for backups that arrive at the same time, as parallel transactions.

use sqlx::Executor;

use crate::applications::{count, marketplace, overlapping};
use crate::support::EmptyDatabase;

#[tokio::test]
async fn concurrent_requests_make_one_backup() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 0).await;
    owner
        .execute(
            r#"insert into auth.users (id, email, raw_app_meta_data)
               values (person('s'), 's@example.test', '{"marketplace_role": "superadmin"}');
             insert into serasi.system_reports (name, data, reported_at) values ('backups', '{}', now())"#,
        )
        .await
        .expect("a superadmin, and a program that makes backups");

    let request = "select (public.request_backup() is not null)::text";
    let results = overlapping(&database, [("s", request), ("s", request)]).await;

    assert_eq!(results, ["true", "A backup is already requested or running"]);
    assert_eq!(count(&mut owner, "serasi.backups").await, 1);
    drop(database);
}
