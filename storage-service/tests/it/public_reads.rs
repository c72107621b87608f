//! Reads of public objects with two replicas, which keep bytes in memory and share a database: the responses are the same, and
//! never outdated once a change is committed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use futures::future::join_all;
use serde_json::json;
use storage_service::Storage;
use test_support::client::{Answer, TestClient};
use test_support::person;

use crate::support::{Service, assert_refused, delete, pixel, post};

const PICTURE: &str = "/object/public/images/a/one.png";
const RENDITION: &str = "/render/image/public/images/a/one.png?width=1&format=webp";

struct Pair {
    service: Service,
    writer: TestClient,
    reader: TestClient,
    _replicas: [Storage; 2],
}

impl Pair {
    async fn start() -> Self {
        let service = Service::start().await;
        let replicas = [service.work().await, service.work().await];
        let [writer, reader] = replicas.each_ref().map(|replica| TestClient::new(replica.router()));
        let writer = writer.with_token(person::service_key());
        let pair = Self { service, writer, reader, _replicas: replicas };
        assert_eq!(pair.put(pixel("png")).await.status, 200);
        pair.read_all().await;
        pair
    }

    async fn put(&self, content: Vec<u8>) -> Answer {
        let request = Request::post("/object/images/a/one.png").header(header::CONTENT_TYPE, "image/png");
        self.writer.send(request.header("x-upsert", "true"), content).await
    }

    /// Afterwards both replicas have the object and the rendition in memory.
    async fn read_all(&self) {
        for client in [&self.reader, &self.writer] {
            for path in [PICTURE, RENDITION] {
                assert_eq!(client.get(path).await.status, 200);
            }
        }
    }

    /// Both replicas refuse with this code.
    async fn refuses(&self, code: &str) {
        for client in [&self.reader, &self.writer] {
            for path in [PICTURE, RENDITION] {
                assert_eq!(client.get(path).await.json()["code"], code, "{path}");
            }
        }
    }

    async fn sql(&self, statement: &'static str) {
        let allowed = "select set_config('storage.allow_delete_query', 'true', true)";
        let mut transaction = self.service.rows.begin().await.unwrap();
        for statement in [allowed, "set local row_security = off", statement] {
            sqlx::query(statement).execute(&mut *transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
    }
}

fn whole(answer: &Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let headers = answer.headers.iter().map(|(name, value)| (name.to_string(), format!("{value:?}")));
    (answer.status.as_u16(), headers.collect(), answer.body.to_vec())
}

#[tokio::test]
async fn responses_from_memory_are_the_same_byte_by_byte() {
    let pair = Pair::start().await;
    let uncached = storage_service::Config { memory_bytes: 0, ..pair.service.config.clone() };
    let uncached = TestClient::new(storage_service::app(uncached).await.unwrap());
    let etag = uncached.get(PICTURE).await.header("etag").unwrap().to_owned();
    let date = "Mon, 04 May 2026 03:02:01 GMT";
    for path in [PICTURE, RENDITION, "/object/images/a/one.png"] {
        for query in ["", "download", "download=x%20y.png", "unknown=1"] {
            let path = format!("{path}{}{query}", if path.contains('?') { "&" } else { "?" });
            assert_eq!(whole(&pair.reader.get(&path).await), whole(&uncached.get(&path).await), "{path}");
        }
        for (name, value) in [
            ("authorization", "Bearer invalid"),
            ("range", "bytes=1-3"),
            ("range", "bytes=9999-"),
            ("if-none-match", etag.as_str()),
            ("if-none-match", "\"other\""),
            ("if-modified-since", date),
            ("if-range", "\"other\""),
            ("origin", "https://site.test"),
            ("origin", "https://other.test"),
            ("accept", "image/webp"),
        ] {
            for method in [Method::GET, Method::HEAD] {
                let request = || Request::builder().method(method.clone()).uri(path).header(name, value);
                let cached = pair.reader.send(request(), Body::empty()).await;
                let wanted = uncached.send(request(), Body::empty()).await;
                assert_eq!(whole(&cached), whole(&wanted), "{method} {path} {name}: {value}");
            }
        }
    }
}

#[tokio::test]
async fn every_replica_sees_a_change_once_its_writer_has_the_response() {
    let pair = Pair::start().await;
    let old = pair.reader.get(PICTURE).await;
    assert_eq!(pair.put(pixel("webp")).await.status, 200);
    for client in [&pair.reader, &pair.writer] {
        let new = client.get(PICTURE).await;
        assert_eq!(new.header("content-type"), Some("image/webp"));
        assert_ne!(new.header("etag"), old.header("etag"));
    }
    let bucket = async |public| {
        let changed = pair.writer.put_json("/bucket/images", &json!({ "public": public })).await;
        assert_eq!(changed.status, 200);
    };
    bucket(false).await;
    pair.refuses("NoSuchBucket").await;
    bucket(true).await;
    pair.read_all().await;
    let moving = |from, to| json!({ "bucketId": "images", "sourceKey": from, "destinationKey": to });
    assert_eq!(pair.writer.post_json("/object/move", &moving("a/one.png", "a/two.png")).await.status, 200);
    pair.refuses("NoSuchKey").await;
    assert_eq!(pair.writer.post_json("/object/move", &moving("a/two.png", "a/one.png")).await.status, 200);
    pair.read_all().await;
    assert_eq!(delete(&pair.writer, "/object/images/a/one.png").await.status, 200);
    pair.refuses("NoSuchKey").await;
    assert_eq!(pair.put(pixel("png")).await.status, 200);
    pair.read_all().await;
    assert_eq!(pair.writer.post_json("/bucket/images/empty", &json!({})).await.status, 200);
    pair.refuses("NoSuchKey").await;
}

#[tokio::test]
async fn every_replica_sees_a_change_by_sql_once_it_is_committed() {
    let pair = Pair::start().await;
    pair.sql("update storage.buckets set public = false").await;
    pair.refuses("NoSuchBucket").await;
    pair.sql("update storage.buckets set public = true").await;
    pair.read_all().await;
    pair.sql("update storage.objects set name = 'a/x'").await;
    pair.refuses("NoSuchKey").await;
    pair.sql("update storage.objects set name = 'a/one.png'").await;
    pair.read_all().await;
    pair.sql("delete from storage.objects").await;
    pair.refuses("NoSuchKey").await;
}

/// Many readers keep queries running, which later requests must not share.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_that_begins_after_a_change_sees_it_among_many_readers() {
    let pair = Pair::start().await;
    let ended = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..16)
        .map(|_| {
            let (client, ended) = (pair.reader.clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                while !ended.load(Ordering::Relaxed) {
                    assert_eq!(client.get(PICTURE).await.status, 200);
                }
            })
        })
        .collect();
    for round in 0..50 {
        let format = if round % 2 == 0 { "webp" } else { "png" };
        assert_eq!(pair.put(pixel(format)).await.status, 200);
        let read = pair.reader.get(PICTURE).await;
        assert_eq!(read.header("content-type"), Some(format!("image/{format}").as_str()), "{round}");
    }
    ended.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.await.unwrap();
    }
}

/// Counts the lookups in a policy.
async fn lookups(service: &Service) -> i64 {
    sqlx::query_scalar("select last_value from storage.lookups").fetch_one(&service.rows).await.unwrap()
}

#[tokio::test]
async fn requests_at_the_same_time_share_queries_and_get_their_own_objects() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": false })).await;
    for (key, format) in [("images/a.png", "png"), ("images/b.webp", "webp"), ("papers/a.png", "png")] {
        let answer = post(&service.service(), key, &format!("image/{format}"), pixel(format)).await;
        assert_eq!(answer.status, 200);
    }
    sqlx::raw_sql(
        "create sequence storage.lookups;
         grant usage on sequence storage.lookups to storage_admin;
         create policy \"test: counted\" on storage.buckets as restrictive to storage_admin
           using (id <> 'images' or nextval('storage.lookups') > 0)",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let (client, wrong) = (service.nobody(), AtomicU64::new(0));
    join_all((0..400).map(|number| {
        let (client, wrong) = (&client, &wrong);
        async move {
            let (key, expected) = [
                ("images/a.png", Ok("image/png")),
                ("images/b.webp", Ok("image/webp")),
                ("images/none", Err("NoSuchKey")),
                ("papers/a.png", Err("NoSuchBucket")),
                ("images/a%00.png", Err("InvalidRequest")),
            ][number % 5];
            let answer = client.get(&format!("/object/public/{key}")).await;
            let is_right = match expected {
                Ok(format) => answer.status == 200 && answer.header("content-type") == Some(format),
                Err(code) => answer.json()["code"] == code,
            };
            wrong.fetch_add(u64::from(!is_right), Ordering::Relaxed);
        }
    }))
    .await;
    assert_eq!(wrong.into_inner(), 0);
    let shared = lookups(&service).await;
    assert!(shared < 40, "{shared} lookups of 3 keys by 240 requests");
}

#[tokio::test]
async fn an_error_of_the_database_reaches_every_request_that_shares_the_query() {
    let service = Service::start().await;
    sqlx::raw_sql(
        "create policy \"test: broken\" on storage.buckets as restrictive to storage_admin
         using (1 / (length(id) - length(id)) = 0)",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let client = service.nobody();
    for answer in join_all((0..20).map(|_| client.get(PICTURE))).await {
        assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (500, Some("DatabaseError")));
    }
    sqlx::raw_sql("drop policy \"test: broken\" on storage.buckets").execute(&service.rows).await.unwrap();
    assert_refused(&client.get(PICTURE).await, 404, "NoSuchKey");
}

#[tokio::test]
async fn a_row_that_cannot_be_read_fails_only_its_own_requests() {
    let pair = Pair::start().await;
    assert_eq!(post(&pair.writer, "images/a/two.png", "image/png", pixel("png")).await.status, 200);
    // The number is too large for a program.
    pair.sql("update storage.objects set metadata = metadata || '{\"x\": 1e400}' where name = 'a/two.png'")
        .await;
    let broken = "/object/public/images/a/two.png";
    let answers = join_all((0..40).map(|number| pair.reader.get([PICTURE, broken][number % 2]))).await;
    for (number, answer) in answers.iter().enumerate() {
        assert_eq!(answer.status, [200, 500][number % 2], "{}", answer.text());
    }
}
