//! A real S3 server of another maker: Garage, which compose.yaml uses. `GARAGE` names the program, and
//! `cargo xtask test containers` compiles it.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::http::{Request, StatusCode};
use platform::secret::Secret;
use serde_json::json;
use storage_service::Config;
use storage_service::check::{Options, Summary, check};
use storage_service::config::S3Config;
use tempfile::TempDir;

use crate::support::{Service, post};

const KEY: &str = "GK31c2f218a2e44f485b94239e";
const SECRET: &str = "b892c0665f0ada8a4755dae98baa3b133590e11dae3bcc1f9d769d67f16c3835";
const START: Duration = Duration::from_secs(30);

struct Garage {
    process: Child,
    folder: TempDir,
    port: u16,
}

impl Garage {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (port, internal) = (free_port(), free_port());
        let path = folder.path().display();
        let settings = format!(
            "metadata_dir = '{path}/meta'\ndata_dir = '{path}/data'\ndb_engine = 'sqlite'\nreplication_factor = 1\n\
             rpc_bind_addr = '127.0.0.1:{internal}'\nrpc_public_addr = '127.0.0.1:{internal}'\nrpc_secret = '{SECRET}'\n\
             [s3_api]\ns3_region = 'garage'\napi_bind_addr = '127.0.0.1:{port}'\nroot_domain = '.s3.garage'\n"
        );
        std::fs::write(folder.path().join("garage.toml"), settings).unwrap();
        let process = serve(folder.path());
        let garage = Self { process, folder, port };
        garage.wait();
        garage
    }

    /// Ends it without notice, as a crash does.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn start_again(&mut self) {
        self.process = serve(self.folder.path());
        self.wait();
    }

    fn wait(&self) {
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(began.elapsed() < START, "Garage does not start: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn config(&self) -> S3Config {
        S3Config {
            endpoint: format!("http://127.0.0.1:{}", self.port).parse().unwrap(),
            region: "garage".to_owned(),
            bucket: "pictures".to_owned(),
            access_key_id: KEY.to_owned(),
            secret_access_key: Secret::new(SECRET),
            request_timeout: Duration::from_secs(30),
        }
    }

    async fn service(&self) -> Service {
        let service = Service::start_with(|config| Config { s3: Some(self.config()), ..config }).await;
        service.make_bucket("papers", json!({ "public": true })).await;
        service.make_bucket("others", json!({ "public": true })).await;
        service
    }
}

impl Drop for Garage {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "test settings have no struct to live in")]
fn serve(folder: &Path) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    Command::new(std::env::var("GARAGE").unwrap())
        .arg("-c")
        .arg(folder.join("garage.toml"))
        .args(["server", "--single-node", "--default-bucket"])
        .env("GARAGE_DEFAULT_ACCESS_KEY", KEY)
        .env("GARAGE_DEFAULT_SECRET_KEY", SECRET)
        .env("GARAGE_DEFAULT_BUCKET", "pictures")
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// More than one part of a multipart upload.
fn large() -> Vec<u8> {
    (0..20_000_000_u32).map(|number| number.to_le_bytes()[1]).collect()
}

#[tokio::test]
#[ignore = "needs GARAGE"]
async fn objects_are_read_in_ranges_copied_moved_replaced_and_removed() {
    let garage = Garage::start();
    let service = garage.service().await;
    let client = service.service();
    for (name, body) in [("small", b"hello".to_vec()), ("large", large()), ("empty", Vec::new())] {
        let stored = post(&client, &format!("papers/{name}"), "x/y", body.clone()).await;
        assert_eq!(stored.status, 200, "{name}: {}", stored.text());
        assert!(service.nobody().get(&format!("/object/public/papers/{name}")).await.body == body, "{name}");
    }
    let ranged = Request::get("/object/public/papers/large").header("range", "bytes=9999998-10000001");
    let part = service.nobody().send(ranged, "").await;
    assert_eq!(
        (part.status, part.body.as_ref()),
        (StatusCode::PARTIAL_CONTENT, &large()[9_999_998..10_000_002])
    );

    let copy = json!({
        "bucketId": "papers", "sourceKey": "large", "destinationBucket": "others", "destinationKey": "copy"
    });
    assert_eq!(client.post_json("/object/copy", &copy).await.status, 200);
    let moved = json!({ "bucketId": "papers", "sourceKey": "small", "destinationBucket": "others", "destinationKey": "a b/c&d=e+f'(g)" });
    assert_eq!(client.post_json("/object/move", &moved).await.status, 200);
    assert_eq!(service.nobody().get("/object/public/others/a%20b/c&d=e+f'(g)").await.text(), "hello");
    client.send(Request::put("/object/papers/large").header("content-type", "x/y"), "short").await;
    assert_eq!(service.nobody().get("/object/public/papers/large").await.text(), "short");
    assert!(
        service.nobody().get("/object/public/others/copy").await.body == large(),
        "the copy outlives its source"
    );

    for name in ["papers/large", "papers/empty", "others/copy", "others/a%20b/c&d=e+f'(g)"] {
        let removed = client.send(Request::delete(format!("/object/{name}")), "").await;
        assert_eq!(removed.status, 200, "{name}: {}", removed.text());
    }
    assert_eq!(service.count_rows().await, 0);
    assert_eq!(stored(&service, false).await, Summary::default());
}

#[tokio::test]
#[ignore = "needs GARAGE"]
async fn blobs_without_a_row_are_found_and_removed() {
    let garage = Garage::start();
    let service = garage.service().await;
    for number in 0..50 {
        let stored = post(&service.service(), &format!("papers/{number}"), "text/plain", "x").await;
        assert_eq!(stored.status, 200, "{}", stored.text());
    }
    sqlx::raw_sql(
        "set storage.allow_delete_query = 'true'; delete from storage.objects where name like '%7'",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let found = Summary { blobs: 50, objects: 45, orphaned_blobs: 5, orphaned_bytes: 5, missing_blobs: 0 };
    assert_eq!(stored(&service, true).await, found);
    let left = Summary { blobs: 45, objects: 45, ..Summary::default() };
    assert_eq!(stored(&service, false).await, left);
}

#[tokio::test]
#[ignore = "needs GARAGE"]
async fn a_crashed_server_fails_uploads_without_leftovers_and_is_used_again() {
    let mut garage = Garage::start();
    let service = garage.service().await;
    let client = service.service();
    assert_eq!(post(&client, "papers/kept", "text/plain", "kept").await.status, 200);
    let replica = service.work().await;
    assert_eq!(replica.ready().await, Ok(()));

    garage.kill();
    assert_eq!(post(&client, "papers/lost", "text/plain", "lost").await.status, 503);
    assert_eq!((service.count_rows().await, service.half_received().len()), (1, 0));
    assert_eq!(replica.ready().await, Err("blobs can't be stored"));

    garage.start_again();
    assert_eq!(replica.ready().await, Ok(()));
    assert_eq!(service.nobody().get("/object/public/papers/kept").await.text(), "kept");
    assert_eq!(post(&client, "papers/lost", "text/plain", "again").await.status, 200);
}

#[tokio::test]
#[ignore = "needs GARAGE"]
async fn a_wrong_secret_or_bucket_is_not_ready() {
    let garage = Garage::start();
    for wrong in [
        S3Config { secret_access_key: Secret::new("wrong"), ..garage.config() },
        S3Config { bucket: "nowhere".to_owned(), ..garage.config() },
    ] {
        let service = Service::start_with(|config| Config { s3: Some(wrong), ..config }).await;
        assert_eq!(service.work().await.ready().await, Err("blobs can't be stored"));
        service.make_bucket("papers", json!({})).await;
        assert_eq!(post(&service.service(), "papers/a", "text/plain", "x").await.status, 500);
        assert_eq!(service.count_rows().await, 0);
    }
}

/// What `check` counts; `remove` lets it remove the blobs without a row.
async fn stored(service: &Service, remove: bool) -> Summary {
    let options = Options { remove_blobs: remove, remove_rows: false, minimum_age: Duration::ZERO };
    check(service.config.clone(), options, |_| {}).await.unwrap()
}
