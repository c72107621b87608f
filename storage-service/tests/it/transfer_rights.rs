//! Moves and copies across buckets by users who may read one bucket and write to another.

use axum::http::Request;
use serde_json::{Value, json};
use test_support::client::{Answer, TestClient};

use crate::support::{Person, Service, assert_refused, post};

/// People may read `from`, change what is theirs there, and add to `to`. Nobody may do anything in `closed`.
async fn start() -> (Service, Person) {
    let service = Service::start().await;
    for bucket in ["from", "to", "closed"] {
        service.make_bucket(bucket, json!({})).await;
    }
    sqlx::raw_sql(
        "create policy \"test: read\" on storage.objects for select to authenticated using (bucket_id in ('from', 'to'));
         create policy \"test: add\" on storage.objects for insert to authenticated with check (bucket_id in ('from', 'to'));
         create policy \"test: change\" on storage.objects for update to authenticated
           using (owner_id = auth.uid()::text) with check (bucket_id in ('from', 'to') and name not like 'fixed%')",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let person = service.person().await;
    let request = Request::post("/object/from/own")
        .header("content-type", "text/plain")
        .header("x-metadata", "eyJhIjoxfQ==");
    assert_eq!(person.client.send(request, "own").await.status, 200);
    for path in ["from/foreign", "closed/hidden"] {
        assert_eq!(post(&service.service(), path, "text/plain", "foreign").await.status, 200);
    }
    (service, person)
}

async fn act(client: &TestClient, act: &str, source: (&str, &str), target: (&str, &str)) -> Answer {
    let body = json!({
        "bucketId": source.0, "sourceKey": source.1, "destinationBucket": target.0, "destinationKey": target.1,
    });
    client.post_json(&format!("/object/{act}"), &body).await
}

async fn info(service: &Service, path: &str) -> Value {
    service.service().get(&format!("/object/info/{path}")).await.json()
}

#[tokio::test]
async fn a_copy_into_another_bucket_belongs_to_its_maker() {
    let (service, person) = start().await;
    let copied = act(&person.client, "copy", ("from", "foreign"), ("to", "mine")).await;
    assert_eq!(copied.status, 200, "{}", copied.text());
    assert_eq!(copied.json()["owner_id"], json!(person.id));
    assert_eq!(person.client.get("/object/to/mine").await.text(), "foreign");
    act(&person.client, "copy", ("from", "own"), ("to", "own")).await;
    let (before, after) = (info(&service, "from/own").await, info(&service, "to/own").await);
    for member in ["metadata", "content_type", "size", "etag"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    assert_ne!(after["id"], before["id"]);
    assert_eq!((service.count_rows().await, service.blobs().len()), (5, 5));
}

#[tokio::test]
async fn a_move_into_another_bucket_keeps_id_owner_and_metadata() {
    let (service, person) = start().await;
    let before = info(&service, "from/own").await;
    let moved = act(&person.client, "move", ("from", "own"), ("to", "a/own")).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    let after = info(&service, "to/a/own").await;
    for member in ["id", "version", "metadata", "content_type", "size", "etag", "created_at"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    assert_eq!(person.client.get("/object/to/a/own").await.text(), "own");
    assert_refused(&person.client.get("/object/from/own").await, 404, "NoSuchKey");
    assert_eq!((service.count_rows().await, service.blobs().len()), (3, 3));
}

#[tokio::test]
async fn both_buckets_policies_decide() {
    let (service, person) = start().await;
    let client = &person.client;
    for (source, target, copy, moved) in [
        // An object that the caller can't see is reported as missing.
        (("closed", "hidden"), ("to", "b"), (404, "NoSuchKey"), (404, "NoSuchKey")),
        (("from", "own"), ("closed", "b"), (403, "AccessDenied"), (403, "AccessDenied")),
        (("from", "own"), ("nowhere", "b"), (404, "NoSuchBucket"), (404, "NoSuchBucket")),
        (("nowhere", "own"), ("to", "b"), (404, "NoSuchKey"), (404, "NoSuchKey")),
        (("from", "own"), ("from", "foreign"), (409, "KeyAlreadyExists"), (409, "KeyAlreadyExists")),
    ] {
        assert_refused(&act(client, "copy", source, target).await, copy.0, copy.1);
        assert_refused(&act(client, "move", source, target).await, moved.0, moved.1);
    }
    // It may be read and copied, but not changed.
    assert_refused(&act(client, "move", ("from", "foreign"), ("to", "b")).await, 403, "AccessDenied");
    assert_refused(&act(client, "move", ("from", "own"), ("to", "fixed")).await, 403, "AccessDenied");
    let over = Request::post("/object/copy").header("x-upsert", "true");
    let body = json!({ "bucketId": "from", "sourceKey": "own", "destinationKey": "foreign" });
    assert_refused(&client.send(over, body.to_string()).await, 403, "AccessDenied");
    assert_eq!((service.count_rows().await, service.blobs().len()), (3, 3));
    assert_eq!(service.service().get("/object/from/foreign").await.text(), "foreign");
}

#[tokio::test]
async fn an_object_moved_or_copied_to_itself_stays() {
    let (service, person) = start().await;
    let before = info(&service, "from/own").await;
    let own = ("from", "own");
    assert_eq!(act(&person.client, "move", own, own).await.status, 200);
    assert_refused(&act(&person.client, "copy", own, own).await, 409, "KeyAlreadyExists");
    let over = Request::post("/object/copy").header("x-upsert", "true");
    let body = json!({ "bucketId": "from", "sourceKey": "own", "destinationKey": "own" });
    assert_eq!(person.client.send(over, body.to_string()).await.status, 200);
    let after = info(&service, "from/own").await;
    assert_eq!((&after["id"], &after["metadata"]), (&before["id"], &before["metadata"]));
    assert_eq!(person.client.get("/object/from/own").await.text(), "own");
    assert_eq!((service.count_rows().await, service.blobs().len()), (3, 3));
}

/// A source whose blob is lost, as after a disk failure.
#[tokio::test]
async fn a_copy_of_lost_bytes_makes_nothing() {
    let (service, person) = start().await;
    act(&person.client, "move", ("from", "own"), ("to", "own")).await;
    for blob in service.blobs() {
        std::fs::remove_file(blob).unwrap();
    }
    assert_refused(&act(&person.client, "copy", ("to", "own"), ("from", "again")).await, 404, "NoSuchKey");
    assert_eq!((service.count_rows().await, service.blobs().len()), (3, 0));
}
