//! The program is replaced while clients use it: no request fails, although each process loads the schema first.

use std::net::{Ipv4Addr, TcpListener};

use serde_json::json;
use test_support::handover::{Call, replace};
use test_support::program::Program;

use crate::support::{SECRET, as_author, database, uri};

#[tokio::test]
async fn no_read_and_no_write_fails_while_the_program_is_replaced() {
    let database = database().await;
    let url = uri(&database);
    let environment = [
        ("PGRST_DB_URI", url.as_str()),
        ("PGRST_DB_SCHEMAS", "api"),
        ("PGRST_DB_ANON_ROLE", "gateway_anon"),
        ("PGRST_JWT_SECRET", SECRET),
    ];
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let program = [env!("CARGO_BIN_EXE_rest-gateway")];
    let start = || Program::start_on(&socket, &program, &environment, tempfile::tempfile().unwrap());
    let mut first = start();
    first.answers("/ready", 200).await;

    let token = as_author();
    let calls = [
        Call::get("/items?id=eq.1"),
        Call::get("/authors_only").with_header("authorization", &token),
        Call::post("/no_pk", &json!({ "a": "1", "b": "2" })).expecting(201),
    ];
    let last = replace(&socket, first, &calls, start).await;
    last.has_valid_metrics().await;
}
