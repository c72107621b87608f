//! `serasi storage check` on a data directory that no Serasi is running on.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::StatusCode;

use crate::prepared;
use crate::support::{Launcher, free_port, serasi, up};

const SECRET: &str = "a-secret-that-only-this-test-may-use";
/// A PNG of one pixel.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn check(data_dir: &Path, options: &[&str]) -> String {
    let mut command = serasi();
    command.args(["storage", "check", "--data-dir"]).arg(data_dir).args(options);
    let output = command.env("JWT_SECRET", SECRET).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Every file of a stored object.
fn blobs(data_dir: &Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(data_dir.join("storage/blobs")).unwrap();
    let folders = folders.map(|folder| folder.unwrap().path()).filter(|folder| folder.is_dir());
    folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path())).collect()
}

async fn upload(data_dir: &Path) {
    let port = free_port();
    let mut command = up(data_dir, port);
    command.env("JWT_SECRET", SECRET);
    let launcher = Launcher::of(command);
    let status = serasi().args(["status", "--output", "env", "--data-dir"]).arg(data_dir).output().unwrap();
    let settings = String::from_utf8(status.stdout).unwrap();
    let key = settings.lines().find_map(|line| line.strip_prefix("SERVICE_ROLE_KEY=")).unwrap();
    let request = reqwest::Client::new()
        .post(format!("http://127.0.0.1:{port}/storage/v1/object/images/notes/lost.png"))
        .header("content-type", "image/png")
        .bearer_auth(key.trim_matches('"'));
    let answer = request.body(STANDARD.decode(PICTURE).unwrap()).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK, "{}", answer.text().await.unwrap());
    launcher.signal("-TERM");
    assert!(launcher.wait().success());
}

#[tokio::test]
async fn the_command_lists_both_sides_and_removes_what_it_is_told_to() {
    let data_dir = prepared::data_dir();
    let data_dir = data_dir.path();
    upload(data_dir).await;
    assert!(check(data_dir, &[]).contains("1 files and 1 objects checked."));

    let [blob] = blobs(data_dir).try_into().unwrap();
    let name = blob.file_name().unwrap().to_str().unwrap();
    let last = if name.ends_with('0') { '1' } else { '0' };
    let orphan = blob.with_file_name(format!("{}{last}", &name[..name.len() - 1]));
    std::fs::rename(&blob, &orphan).unwrap();
    // A young file may belong to a running upload.
    assert!(check(data_dir, &[]).contains("0 files without object found"));

    for _ in 0..2 {
        let found = check(data_dir, &["--minimum-age", "0"]);
        assert!(found.contains("1 files without object found"), "{found}");
        assert!(found.contains("object without file: images/notes/lost.png"), "{found}");
    }
    let removed = check(data_dir, &["--remove", "--minimum-age", "0"]);
    assert!(removed.contains("1 files without object removed"), "{removed}");
    assert!(blobs(data_dir).is_empty());
    assert!(check(data_dir, &[]).contains("1 objects without file found."));
    let removed = check(data_dir, &["--remove-rows"]);
    assert!(removed.contains("1 objects without file removed."), "{removed}");
    assert!(check(data_dir, &[]).contains("0 files and 0 objects checked."));
}
