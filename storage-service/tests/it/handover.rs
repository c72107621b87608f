//! The program is replaced while clients use it: no request fails.

use std::net::{Ipv4Addr, TcpListener};

use serde_json::json;
use test_support::database::TestDatabase;
use test_support::handover::{Call, replace};
use test_support::person::{TEST_SECRET, service_key};
use test_support::program::Program;

#[tokio::test]
async fn no_upload_and_no_download_fails_while_the_program_is_replaced() {
    let database = TestDatabase::new().await;
    let (url, dir) = (database.url_as("storage_admin").await, tempfile::tempdir().unwrap());
    let environment = [
        ("DATABASE_URL", url.as_str()),
        ("JWT_SECRET", TEST_SECRET),
        ("STORAGE_DIR", dir.path().to_str().unwrap()),
    ];
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    let program = [env!("CARGO_BIN_EXE_storage-service")];
    let start = || Program::start_on(&socket, &program, &environment, tempfile::tempfile().unwrap());
    let mut first = start();
    first.answers("/ready", 200).await;
    let (key, content) = (service_key(), json!({ "kept": true }));
    let bucket = Call::post("/bucket", &json!({ "name": "notes" })).with_token(&key);
    bucket.send(address).await.unwrap();
    let upload = |path| Call::post(path, &content).with_token(&key).with_header("x-upsert", "true");
    let download = |path| Call::get(path).with_token(&key);
    upload("/object/notes/before").send(address).await.unwrap();

    let calls = [download("/object/authenticated/notes/before"), upload("/object/notes/during")];
    let last = replace(&socket, first, &calls, start).await;
    last.has_valid_metrics().await;

    for path in ["/object/authenticated/notes/before", "/object/authenticated/notes/during"] {
        assert_eq!(download(path).send(address).await.unwrap(), content.to_string());
    }
}
