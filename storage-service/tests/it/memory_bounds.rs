//! An anonymous client can neither fill the cache of public objects with copies of one object nor empty it.

use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::time::timeout;

use crate::memory::{PICTURE, RENDITION, Replica};
use crate::support::{Service, pixel, post};

const SOON: Duration = Duration::from_secs(30);

async fn with_picture() -> (Service, Replica) {
    let service = Service::start().await;
    assert_eq!(post(&service.service(), "images/a/one.png", "image/png", pixel("png")).await.status, 200);
    let replica = Replica::new(service.work().await);
    (service, replica)
}

#[tokio::test]
async fn other_spellings_of_an_address_are_not_remembered() {
    let (_service, replica) = with_picture().await;
    for (known, others) in [
        (
            PICTURE,
            [
                "/object/public/images/a/one.png?",
                "/object/public/images/a/one.png?x=1",
                "/object/public/images/a/one.png?download",
                "/object/public/images/%61/one.png",
            ],
        ),
        (
            RENDITION,
            [
                "/render/image/public/images/a/one.png?format=webp&width=1",
                "/render/image/public/images/a/one.png?width=01&format=webp",
                "/render/image/public/images/a/one.png?width=1&format=webp&x=1",
                "/render/image/public/images/%61/one.png?width=1&format=webp",
            ],
        ),
    ] {
        let usual = replica.learn(known).await;
        for path in others {
            // Repeated until the replica has certainly had a lease.
            for _ in 0..3 {
                replica.learn(known).await;
                assert!(replica.client.get(path).await.body == usual.body, "{path}");
            }
            replica.learn(known).await;
            assert!(!replica.remembers(path), "{path}");
        }
    }
}

/// A lookup that finds nothing must not count as a change, because a change keeps other rows out of the
/// cache.
#[tokio::test]
async fn a_missing_object_is_looked_up_once() {
    let (service, replica) = with_picture().await;
    sqlx::raw_sql(
        "create sequence storage.lookups;
         grant usage on sequence storage.lookups to storage_admin;
         create policy \"test: counted\" on storage.buckets as restrictive to storage_admin
           using (nextval('storage.lookups') > 0)",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let count = async || {
        let count =
            sqlx::query_scalar::<_, i64>("select nextval('storage.lookups')").fetch_one(&service.rows);
        count.await.unwrap()
    };
    for path in ["/object/public/images/none", "/render/image/public/images/none?width=1&format=webp"] {
        let before = count().await;
        assert_eq!(replica.client.get(path).await.json()["code"], "NoSuchKey");
        assert_eq!(count().await - before, 2, "{path}: one lookup, and one by the test");
    }
}

#[tokio::test]
async fn a_request_for_many_objects_drops_only_these() {
    let service = Service::start().await;
    let mut listener = PgListener::connect_with(&service.rows).await.unwrap();
    listener.listen("storage_changes").await.unwrap();
    for (number, everything) in [(1000, false), (1001, true)] {
        let mut transaction = service.rows.begin().await.unwrap();
        for statement in [
            "select set_config('storage.allow_delete_query', 'true', true)".to_owned(),
            "set local row_security = off".to_owned(),
            format!(
                "insert into storage.objects (bucket_id, name) select 'images', 'b/' || n from generate_series(1, {number}) as n"
            ),
            "delete from storage.objects".to_owned(),
        ] {
            sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut *transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
        let first = timeout(SOON, listener.recv()).await.unwrap().unwrap();
        assert_eq!(first.payload() == "all", everything, "{}", first.payload());
        for _ in 1..if everything { 1 } else { number } {
            let next = timeout(SOON, listener.recv()).await.unwrap().unwrap();
            assert!(next.payload().starts_with("object images/b/"), "{}", next.payload());
        }
    }
}
