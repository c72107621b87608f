//! A full disk rejects writes until there is space again, and loses no acknowledged write.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::{Method, Response, header};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use test_support::program::skip;

use crate::product::{Product, SUBSCRIPTIONS, postmaster};

const LIMIT: Duration = Duration::from_secs(30);

/// A small file system that is unmounted on drop.
pub struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Returns `None` where mounting is not permitted.
    pub fn mount(size: &str) -> Option<Self> {
        let disk = Self(tempfile::tempdir().unwrap());
        let options = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(disk.path()).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then_some(disk)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills the remaining space.
    fn fill(&self) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(self.filler()).unwrap();
        while file.write(&[0; 1 << 16]).is_ok_and(|written| written > 0) {}
    }

    fn free(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> std::path::PathBuf {
        self.path().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

/// Asserts a 503 with `Retry-After` and an error in the API's own format.
async fn assert_rejected(response: Response, message_at: &str) {
    let status = response.status();
    let retry_after = response.headers().get(header::RETRY_AFTER).cloned();
    let text = response.text().await.unwrap();
    assert_eq!(status, 503, "{text}");
    assert!(retry_after.is_some(), "{text}");
    let body: Value = serde_json::from_str(&text).unwrap();
    assert!(body[message_at].is_string(), "{text}");
}

#[tokio::test]
async fn a_full_disk_rejects_writes_serves_reads_and_recovers() {
    let Some(disk) = SmallDisk::mount("400m") else {
        return skip("mounting a small file system takes root");
    };
    let product = Product::start(disk.path(), &[]);
    let add = async |name: &str| product.subscribe(name).await;
    assert_eq!(add("before").await.status(), 201);

    disk.fill();
    let mut acknowledged = vec!["before".to_owned()];
    let mut refused = None;
    for number in 0..200 {
        let response = add(&format!("filling-{number}")).await;
        if response.status() != 201 {
            refused = Some(response);
            break;
        }
        acknowledged.push(format!("filling-{number}"));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_rejected(refused.expect("writes are rejected"), "message").await;
    let post = |path: &str| product.request(Method::POST, path).json(&json!({}));
    assert_rejected(post("/auth/v1/token?grant_type=password").send().await.unwrap(), "msg").await;
    assert_rejected(post("/storage/v1/bucket").send().await.unwrap(), "message").await;
    assert_rejected(post("/functions/v1/create-admin").send().await.unwrap(), "error").await;
    product.assert_holds(&acknowledged).await;
    // POST requests that only read still work.
    assert_eq!(post("/storage/v1/object/list/images").send().await.unwrap().status(), 400);

    // Use up the space in the existing WAL files: PostgreSQL panics and can't recover without the reserve.
    let before = postmaster(disk.path());
    exhaust_wal(&product, || postmaster(disk.path()) != before).await;
    product.until_success(LIMIT, async || product.get(SUBSCRIPTIONS).await).await.unwrap();
    product.assert_holds(&acknowledged).await;
    assert_rejected(add("still-full").await, "message").await;
    assert_eq!(product.get("/health").await.status(), 200);

    disk.free();
    let took = product.until_success(LIMIT, async || add("after").await).await.unwrap();
    assert!(took < Duration::from_secs(5), "{took:?}");
    acknowledged.push("after".to_owned());
    product.assert_holds(&acknowledged).await;
    product.launcher.signal("-TERM");
    assert!(product.launcher.wait().success());
}

/// Writes only WAL until the server fails and can't recover. The records are smaller than a checkpoint record,
/// so they leave no space for the checkpoint at the end of recovery. If recovery finds space after all (a
/// checkpoint has just freed some), this uses it up as well.
async fn exhaust_wal(product: &Product, has_restarted: impl Fn() -> bool) {
    let write = "do $$ begin for i in 1..5000000 loop
        perform pg_logical_emit_message(false, 'test', ''); end loop; end $$";
    let begin = Instant::now();
    while !has_restarted() {
        assert!(begin.elapsed() < LIMIT, "the server does not fail, or recovers without the reserve");
        if let Ok(mut superuser) = PgConnection::connect(&product.settings["DB_URL"]).await {
            assert!(superuser.execute(write).await.is_err(), "the disk is not full");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
