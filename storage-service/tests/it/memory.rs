//! Public objects from memory: the responses are the same, and never outdated after the writer has got its
//! response. Two replicas share a database; the second one's notifications can be stopped.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use platform::database::Servers;
use platform::http::server::Handler;
use serde_json::json;
use storage_service::{App, Storage};
use test_support::client::{Answer, TestClient};
use test_support::faulty_proxy::{Fault, FaultyProxy};
use test_support::person;

use crate::support::{Service, delete, pixel, post};

/// The duration of a lease.
const LEASE: Duration = Duration::from_millis(100);
const SOON: Duration = Duration::from_secs(30);
pub const PICTURE: &str = "/object/public/images/a/one.png";
pub const RENDITION: &str = "/render/image/public/images/a/one.png?width=1&format=webp";

pub struct Replica {
    app: App,
    pub client: TestClient,
    _storage: Storage,
}

impl Replica {
    pub fn new(storage: Storage) -> Self {
        let app = storage.app();
        let serving = app.clone();
        let router = Router::new().fallback(move |request: Request| {
            let app = serving.clone();
            async move {
                match app.shortcut(&request) {
                    Some(response) => response,
                    None => app.handle(request).await,
                }
            }
        });
        Self { app, client: TestClient::new(router), _storage: storage }
    }

    pub fn remembers(&self, path: &str) -> bool {
        let request = Request::get(path).body(Body::empty()).unwrap();
        self.app.shortcut(&request).is_some()
    }

    /// Repeats the request until the response comes from memory.
    pub async fn learn(&self, path: &str) -> Answer {
        let began = Instant::now();
        while !self.remembers(path) {
            assert!(began.elapsed() < SOON, "{path} is not remembered");
            let answer = self.client.get(path).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            tokio::task::yield_now().await;
        }
        self.client.get(path).await
    }

    fn service(&self) -> TestClient {
        self.client.with_token(person::service_key())
    }
}

struct Pair {
    service: Service,
    writer: Replica,
    reader: Replica,
    /// The proxy between the reader and its notifications.
    notifications: FaultyProxy,
}

impl Pair {
    async fn start() -> Self {
        let service = Service::start().await;
        let server = service.config.database.direct.host(0).clone();
        let address = (server.get_host().to_owned(), server.get_port());
        let address = tokio::net::lookup_host(address).await.unwrap().next().unwrap();
        let notifications = FaultyProxy::start(address).await;
        let mut config = service.config.clone();
        let through = server.host("127.0.0.1").port(notifications.address().port());
        config.database.direct = Servers::from(through).direct;
        let reader = Replica::new(storage_service::start(config).await.unwrap());
        let writer = Replica::new(service.work().await);
        let pair = Self { service, writer, reader, notifications };
        assert_eq!(pair.put(pixel("png")).await.status, 200);
        pair
    }

    async fn put(&self, content: Vec<u8>) -> Answer {
        let request = Request::post("/object/images/a/one.png").header(header::CONTENT_TYPE, "image/png");
        self.writer.service().send(request.header("x-upsert", "true"), content).await
    }

    /// Both replicas answer from memory, and the reader receives no notifications from now on.
    async fn freeze(&self) -> Answer {
        self.reader.learn(RENDITION).await;
        self.writer.learn(PICTURE).await;
        let known = self.reader.learn(PICTURE).await;
        self.notifications.set(Fault::BlackHole);
        known
    }

    /// Lets notifications through again.
    async fn thaw(&self) {
        self.notifications.refuse().await;
        self.notifications.forward().await;
    }
}

fn whole(answer: &Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let headers = answer.headers.iter().map(|(name, value)| (name.to_string(), format!("{value:?}")));
    (answer.status.as_u16(), headers.collect(), answer.body.to_vec())
}

#[tokio::test]
async fn responses_from_memory_are_the_same_byte_by_byte() {
    let pair = Pair::start().await;
    let etag = pair.service.nobody().get(PICTURE).await.header("etag").unwrap().to_owned();
    let date = "Mon, 04 May 2026 03:02:01 GMT";
    for path in [PICTURE, RENDITION, "/object/images/a/one.png"] {
        let from_database = pair.service.nobody().get(path).await;
        let first = pair.reader.client.get(path).await;
        let learned = pair.reader.learn(path).await;
        assert_eq!(whole(&first), whole(&from_database), "{path}");
        assert_eq!(whole(&learned), whole(&from_database), "{path}");
        for query in ["download", "download=x%20y.png", "unknown=1"] {
            let path = format!("{path}{}{query}", if path.contains('?') { "&" } else { "?" });
            let from_database = pair.service.nobody().get(&path).await;
            assert_eq!(whole(&pair.reader.client.get(&path).await), whole(&from_database), "{path}");
        }
        for token in ["", "invalid", &person::anon_key()] {
            let request = || Request::get(path).header(header::AUTHORIZATION, format!("Bearer {token}"));
            let known = pair.reader.client.send(request(), Body::empty()).await;
            let wanted = pair.service.nobody().send(request(), Body::empty()).await;
            assert_eq!(whole(&known), whole(&wanted), "{path} with the token {token:?}");
        }
        for (name, value) in [
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
                let known = pair.reader.client.send(request(), Body::empty()).await;
                let wanted = pair.service.nobody().send(request(), Body::empty()).await;
                assert_eq!(whole(&known), whole(&wanted), "{method} {path} {name}: {value}");
            }
        }
    }
}

#[tokio::test]
async fn a_deleted_object_is_gone_everywhere_once_its_writer_knows() {
    let pair = Pair::start().await;
    pair.freeze().await;
    assert_eq!(delete(&pair.writer.service(), "/object/images/a/one.png").await.status, 200);
    for replica in [&pair.reader, &pair.writer] {
        for path in [PICTURE, RENDITION] {
            assert!(!replica.remembers(path));
            assert_eq!(replica.client.get(path).await.json()["code"], "NoSuchKey");
        }
    }
}

#[tokio::test]
async fn a_replaced_object_is_new_everywhere_once_its_writer_knows() {
    let pair = Pair::start().await;
    let old = pair.freeze().await;
    assert_eq!(pair.put(pixel("webp")).await.status, 200);
    for replica in [&pair.reader, &pair.writer] {
        let new = replica.client.get(PICTURE).await;
        assert_eq!(new.header("content-type"), Some("image/webp"));
        assert_ne!(new.header("etag"), old.header("etag"));
    }
    // After it reconnects, the replica caches the object again.
    pair.thaw().await;
    assert_eq!(pair.reader.learn(PICTURE).await.header("content-type"), Some("image/webp"));
}

#[tokio::test]
async fn a_moved_object_is_gone_from_its_old_key() {
    let pair = Pair::start().await;
    pair.freeze().await;
    let body = json!({ "bucketId": "images", "sourceKey": "a/one.png", "destinationKey": "a/two.png" });
    assert_eq!(pair.writer.service().post_json("/object/move", &body).await.status, 200);
    for replica in [&pair.reader, &pair.writer] {
        assert_eq!(replica.client.get(PICTURE).await.json()["code"], "NoSuchKey");
        assert_eq!(replica.client.get("/object/public/images/a/two.png").await.status, 200);
    }
}

#[tokio::test]
async fn a_private_or_empty_bucket_shows_nothing_once_its_writer_knows() {
    let pair = Pair::start().await;
    pair.freeze().await;
    let private = json!({ "public": false });
    assert_eq!(pair.writer.service().put_json("/bucket/images", &private).await.status, 200);
    for replica in [&pair.reader, &pair.writer] {
        assert_eq!(replica.client.get(PICTURE).await.json()["code"], "NoSuchBucket");
    }
    pair.thaw().await;
    let public = json!({ "public": true });
    assert_eq!(pair.writer.service().put_json("/bucket/images", &public).await.status, 200);
    pair.freeze().await;
    assert_eq!(pair.writer.service().post_json("/bucket/images/empty", &json!({})).await.status, 200);
    for replica in [&pair.reader, &pair.writer] {
        assert_eq!(replica.client.get(PICTURE).await.json()["code"], "NoSuchKey");
    }
}

/// Repeats the request until the object is no longer returned. A request later than one lease after the
/// change must not get it.
async fn disappears(replica: &Replica, changed: Instant) {
    loop {
        let asked = Instant::now();
        if replica.client.get(PICTURE).await.status != 200 {
            return;
        }
        assert!(asked <= changed + LEASE, "outdated after {:?}", changed.elapsed());
    }
}

#[tokio::test]
async fn changes_by_sql_arrive_within_a_lease() {
    let pair = Pair::start().await;
    let sql = async |statement: &'static str| {
        let allowed = "select set_config('storage.allow_delete_query', 'true', true)";
        let mut transaction = pair.service.rows.begin().await.unwrap();
        for statement in [allowed, "set local row_security = off", statement] {
            sqlx::query(statement).execute(&mut *transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
        Instant::now()
    };
    for (change, back) in [
        ("update storage.buckets set public = false", "update storage.buckets set public = true"),
        ("update storage.objects set name = 'a/x' || name", "update storage.objects set name = 'a/one.png'"),
    ] {
        for is_frozen in [false, true] {
            pair.freeze().await;
            if !is_frozen {
                pair.thaw().await;
                pair.reader.learn(PICTURE).await;
            }
            let changed = sql(change).await;
            tokio::join!(disappears(&pair.reader, changed), disappears(&pair.writer, changed));
            sql(back).await;
            pair.thaw().await;
        }
    }
    pair.freeze().await;
    let changed = sql("delete from storage.objects").await;
    tokio::join!(disappears(&pair.reader, changed), disappears(&pair.writer, changed));
}

#[tokio::test]
async fn without_notifications_the_database_is_asked() {
    let pair = Pair::start().await;
    pair.reader.learn(PICTURE).await;
    pair.notifications.refuse().await;
    let began = Instant::now();
    while pair.reader.remembers(PICTURE) {
        assert!(began.elapsed() < SOON);
        tokio::task::yield_now().await;
    }
    assert_eq!(pair.reader.client.get(PICTURE).await.status, 200);
    assert!(!pair.reader.remembers(PICTURE));
}

#[tokio::test]
async fn nothing_is_remembered_without_memory_and_of_other_requests() {
    let service = Service::start_with(|config| storage_service::Config { memory_bytes: 0, ..config }).await;
    assert_eq!(post(&service.service(), "images/a/one.png", "image/png", pixel("png")).await.status, 200);
    let replica = Replica::new(service.work().await);
    for _ in 0..10 {
        assert_eq!(replica.client.get(PICTURE).await.status, 200);
        assert!(!replica.remembers(PICTURE));
    }
    let pair = Pair::start().await;
    let private = "/object/authenticated/images/a/one.png";
    pair.reader.learn(PICTURE).await;
    assert_eq!(pair.reader.service().get(private).await.status, 200);
    assert!(!pair.reader.remembers(private));
}
