//! A full disk costs writes until there is room again, and nothing that was acknowledged.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use reqwest::{Method, Response, header};
use serde_json::{Value, json};
use sqlx::{Executor, PgConnection};

use crate::product::{Product, SUBSCRIPTIONS, postmaster};

const LIMIT: Duration = Duration::from_secs(30);

/// A small file system, gone with its folder.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` where mounting is not allowed.
    fn mount(size: &str) -> Option<Self> {
        let disk = Self(tempfile::tempdir().unwrap());
        let options = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(disk.path()).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then_some(disk)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Takes every byte that is left.
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

/// A refusal every client understands: 503, when to come again, and an error in the API's own shape.
async fn assert_refused(response: Response, message_at: &str) {
    let status = response.status();
    let retry_after = response.headers().get(header::RETRY_AFTER).cloned();
    let text = response.text().await.unwrap();
    assert_eq!(status, 503, "{text}");
    assert!(retry_after.is_some(), "{text}");
    let body: Value = serde_json::from_str(&text).unwrap();
    assert!(body[message_at].is_string(), "{text}");
}

#[tokio::test]
async fn a_full_disk_refuses_writes_serves_reads_and_recovers_by_itself() {
    let Some(disk) = SmallDisk::mount("220m") else {
        return eprintln!("skipped: mounting a small file system takes root");
    };
    let product = Product::start(disk.path(), &[("DISK_MIN_FREE_MB", "16"), ("DISK_RESERVE_MB", "48")]);
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
    assert_refused(refused.expect("writes are refused"), "message").await;
    let post = |path: &str| product.request(Method::POST, path).json(&json!({}));
    assert_refused(post("/auth/v1/token?grant_type=password").send().await.unwrap(), "msg").await;
    assert_refused(post("/storage/v1/bucket").send().await.unwrap(), "message").await;
    assert_refused(post("/functions/v1/create-admin").send().await.unwrap(), "error").await;
    product.assert_holds(&acknowledged).await;
    // Reading by POST goes on as well.
    assert_eq!(post("/storage/v1/object/list/images").send().await.unwrap().status(), 400);

    // What is left of the WAL's own files is used up: PostgreSQL panics and can't recover without help.
    let before = postmaster(disk.path());
    let mut superuser = product.superuser().await;
    exhaust_wal(&mut superuser).await;
    let read = async || product.get(SUBSCRIPTIONS).await;
    assert!(crate::support::within(LIMIT, || postmaster(disk.path()) != before), "it did not panic");
    product.until_success(LIMIT, read).await.unwrap();
    product.assert_holds(&acknowledged).await;
    assert_refused(add("still-full").await, "message").await;
    assert_eq!(product.get("/health").await.status(), 200);

    disk.free();
    let took = product.until_success(LIMIT, async || add("after").await).await.unwrap();
    assert!(took < Duration::from_secs(5), "{took:?}");
    acknowledged.push("after".to_owned());
    product.assert_holds(&acknowledged).await;
    product.launcher.signal("-TERM");
    assert!(product.launcher.wait().success());
}

/// Writes nothing but WAL until the server can't. Records smaller than a checkpoint's leave no room for one,
/// which recovery ends with.
async fn exhaust_wal(superuser: &mut PgConnection) {
    let write = "do $$ begin for i in 1..5000000 loop
        perform pg_logical_emit_message(false, 'test', ''); end loop; end $$";
    assert!(superuser.execute(write).await.is_err(), "the disk is not full");
}
