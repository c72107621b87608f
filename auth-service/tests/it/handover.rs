//! The program is replaced while clients use it: no request fails, and sessions stay.

use std::net::{Ipv4Addr, TcpListener};

use serde_json::{Value, json};
use test_support::database::TestDatabase;
use test_support::handover::{Call, replace};
use test_support::person::TEST_SECRET;
use test_support::program::Program;

#[tokio::test]
async fn no_request_fails_while_the_program_is_replaced() {
    let database = TestDatabase::new().await;
    let url = database.url_as("auth_admin").await;
    let environment = [
        ("DATABASE_URL", url.as_str()),
        ("JWT_SECRET", TEST_SECRET),
        ("SITE_URL", "https://serasi.test"),
        ("AUTH_RATE_LIMITS", "off"),
        ("AUTH_CONFIRM_EMAIL", "none"),
    ];
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    let program = [env!("CARGO_BIN_EXE_auth-service")];
    let start = || Program::start_on(&socket, &program, &environment, tempfile::tempfile().unwrap());
    let mut first = start();
    first.answers("/ready", 200).await;
    let person = json!({"email": "somebody@example.test", "password": "correct horse",
        "data": {"user_type": "influencer"}});
    let session = Call::post("/signup", &person).send(address).await.unwrap();
    let session: Value = serde_json::from_str(&session).unwrap();

    let call = Call::get("/user").with_token(session["access_token"].as_str().unwrap());
    let last = replace(&socket, first, &[call], start).await;
    last.has_valid_metrics().await;

    let refresh = json!({"refresh_token": session["refresh_token"]});
    Call::post("/token?grant_type=refresh_token", &refresh).send(address).await.unwrap();
}
