//! A service on a fresh database and directory, and clients for each role.

use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use platform::clock::Clock;
use platform::database::Limits;
use serde_json::{Value, json};
use sqlx::PgPool;
use storage_service::config::{Quota, ShareLimits};
use storage_service::{Config, Storage};
use tempfile::TempDir;
use test_support::client::{Answer, TestClient};
use test_support::database::TestDatabase;
use test_support::person;
use uuid::Uuid;

pub struct Service {
    pub app: Router,
    pub clock: Clock,
    pub dir: TempDir,
    pub config: Config,
    /// The folder of the blob files; with S3, the folder of the S3 server.
    blobs: PathBuf,
    pub rows: PgPool,
    _database: TestDatabase,
}

pub struct Person {
    pub id: Uuid,
    pub client: TestClient,
}

impl Service {
    pub async fn start() -> Self {
        Self::start_with(|config| config).await
    }

    pub async fn start_with(change: impl FnOnce(Config) -> Config) -> Self {
        Self::start_on(TestDatabase::new().await, change).await
    }

    pub async fn start_on(database: TestDatabase, change: impl FnOnce(Config) -> Config) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Clock::fixed("2026-05-04T03:02:01.987Z".parse().unwrap());
        let s3 =
            if crate::ON_S3 { Some(crate::s3_server::start(&dir.path().join("s3")).await) } else { None };
        let blobs = dir.path().join(if crate::ON_S3 { "s3/pictures/blobs" } else { "blobs" });
        let config = change(Config {
            database: database.url_as("storage_admin").await.parse().unwrap(),
            database_limits: Limits::default(),
            keys: person::keys(),
            clock: clock.clone(),
            dir: dir.path().to_owned(),
            allowed_origins: vec!["https://site.test".parse().unwrap()],
            trusted_proxies: Vec::new(),
            max_object_bytes: 50 * 1024 * 1024,
            image_buckets: vec!["images".to_owned()],
            removal_interval: Duration::from_secs(5),
            s3,
            quota: Quota { objects: 500, bytes: 500 * 1024 * 1024 },
            variants_bytes: 64 * 1024 * 1024,
            staging: ShareLimits { per_owner: 128 * 1024 * 1024, total: 1024 * 1024 * 1024 },
            memory_bytes: 16 * 1024 * 1024,
            render_bytes: 256 * 1024 * 1024,
            sweep_interval: None,
            orphan_age: storage_service::config::ORPHAN_AGE,
        });
        let app = storage_service::app(config.clone()).await.unwrap();
        Self { app, clock, dir, config, blobs, rows: database.owner_pool().await, _database: database }
    }

    /// Starts the background work as one more replica. It ends when the returned value is dropped.
    pub async fn work(&self) -> Storage {
        storage_service::start(self.config.clone()).await.unwrap()
    }

    pub fn nobody(&self) -> TestClient {
        TestClient::new(self.app.clone())
    }

    pub fn visitor(&self) -> TestClient {
        self.nobody().with_token(person::anon_key())
    }

    pub fn service(&self) -> TestClient {
        self.nobody().with_token(person::service_key())
    }

    /// A signed-in person with an account, which uploads require.
    pub async fn person(&self) -> Person {
        let id: Uuid = sqlx::query_scalar("insert into auth.users default values returning id")
            .fetch_one(&self.rows)
            .await
            .unwrap();
        Person { id, client: self.nobody().with_token(self.token(id)) }
    }

    /// An access token issued at this service's clock.
    pub fn token(&self, user: Uuid) -> String {
        let now = self.clock.now().timestamp();
        let claims = json!({ "sub": user, "role": "authenticated", "iat": now, "exp": now + 3600 });
        person::keys().sign(&claims).unwrap()
    }

    pub async fn make_bucket(&self, name: &str, options: Value) {
        let mut body = json!({ "name": name });
        body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let answer = self.service().post_json("/bucket", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Adds a policy that lets every signed-in person do everything in a generic bucket.
    pub async fn open_to_all(&self, bucket: &str) {
        let policy = format!(
            "create policy \"test: all in {bucket}\" on storage.objects to authenticated
             using (bucket_id = '{bucket}') with check (bucket_id = '{bucket}')"
        );
        sqlx::query(sqlx::AssertSqlSafe(policy)).execute(&self.rows).await.unwrap();
    }

    pub async fn count_rows(&self) -> i64 {
        sqlx::query_scalar("select count(*) from storage.objects").fetch_one(&self.rows).await.unwrap()
    }

    pub fn blobs(&self) -> Vec<PathBuf> {
        if self.blobs.exists() { files(&self.blobs) } else { Vec::new() }
    }

    /// The cached variants.
    pub fn variants(&self) -> Vec<PathBuf> {
        files(&self.dir.path().join("variants"))
    }

    pub fn half_received(&self) -> Vec<PathBuf> {
        files(&self.dir.path().join("incoming"))
    }
}

fn files(dir: &std::path::Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let entries = entries.map(|entry| entry.unwrap().path()).filter(|path| !path.ends_with(".serasi-blobs"));
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// `POST /object/{path}` with a raw body.
pub async fn post(client: &TestClient, path: &str, mime_type: &str, body: impl Into<Body>) -> Answer {
    client.send(Request::post(format!("/object/{path}")).header(header::CONTENT_TYPE, mime_type), body).await
}

pub async fn delete(client: &TestClient, path: &str) -> Answer {
    client.send(Request::delete(path), Body::empty()).await
}

/// Asserts an error in Storage's format.
#[track_caller]
pub fn assert_refused(answer: &Answer, logical: u16, code: &str) {
    assert_eq!(answer.status, 400, "{}", answer.text());
    let body = answer.json();
    assert_eq!(body["statusCode"], logical.to_string(), "{body}");
    assert_eq!(body["code"], code, "{body}");
    assert!(body["message"].is_string() && body["error"].is_string(), "{body}");
}

/// A real one-pixel JPEG whose EXIF holds an orientation and a GPS position.
pub fn jpeg_with_gps() -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
    tiff.extend(b"GPSLatitude 48.1372 N");
    let exif = [b"Exif\0\0", tiff.as_slice()].concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let picture = pixel("jpg");
    [&picture[..2], &[0xff, 0xe1], &length, &exif, &picture[2..]].concat()
}

/// A real one-pixel picture.
pub fn pixel(format: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(format!("pixel.{format}"));
    std::fs::read(path).unwrap()
}
