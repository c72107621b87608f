//! Undocumented behavior of PostgREST that existing clients and environments rely on.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;
use test_support::client::Answer;

use crate::support::{Api, as_author, bearer, database, uri};

/// A client's public key is a token for the anonymous role. A permission error must be 401, so that the user is asked
/// to sign in.
#[tokio::test]
async fn the_anonymous_roles_token_is_not_authenticated() {
    let api = Api::start().await;
    let request = async |token: String| {
        let answer = api.send("GET", "/private_table", &[("authorization", &token)], "").await;
        (answer.status.as_u16(), answer.header("www-authenticate").map(str::to_owned))
    };
    let challenge = Some("Bearer".to_owned());
    assert_eq!(request(bearer(&json!({ "role": "gateway_anon" }))).await, (401, challenge.clone()));
    assert_eq!(request(bearer(&json!({ "sub": "nobody's role" }))).await, (401, challenge));
    assert_eq!(request(as_author()).await, (403, None));
}

#[tokio::test]
async fn server_timing_can_be_enabled() {
    let api = Api::start_with(&[("PGRST_SERVER_TIMING_ENABLED", "true")]).await;
    let named = |answer: &Answer| {
        let timing = answer.header("server-timing").expect("a timing");
        let laps = timing.split(", ").filter_map(|lap| lap.split_once(";dur="));
        laps.map(|(stage, _)| stage.to_owned()).collect::<Vec<_>>()
    };
    let stages = ["jwt", "parse", "plan", "transaction", "response"];
    // An error lists the stages up to the one that failed.
    for (path, count) in [
        ("/items?id=eq.1", 5),
        ("/", 5),
        ("/items?id=invalid", 2),
        ("/no_such_table", 3),
        ("/items?id=eq.invalid", 4),
    ] {
        assert_eq!(named(&api.get(path).await), stages[..count], "{path}");
    }
    let rejected = api.send("GET", "/items", &[("authorization", "Bearer invalid")], "").await;
    assert_eq!(named(&rejected), ["jwt"]);
    assert_eq!(Api::start().await.get("/items").await.header("server-timing"), None);
}

/// The launcher mounts the gateway at a path, which the gateway must not see.
#[tokio::test]
async fn the_router_can_be_mounted_at_a_path() {
    let api = Api::start().await;
    let mounted = axum::Router::new().nest_service("/rest/v1", api.gateway.router());
    let client = test_support::client::TestClient::new(mounted);
    let answer = client.get("/rest/v1/items?id=eq.1").await;
    assert_eq!(
        (answer.json(), answer.header("content-location")),
        (json!([{ "id": 1 }]), Some("/items?id=eq.1"))
    );
    assert_eq!(client.get("/rest/v1/rpc/add_them?a=1&b=2").await.json(), json!(3));
    for root in ["/rest/v1", "/rest/v1/"] {
        assert_eq!(client.get(root).await.json()["swagger"], "2.0", "{root}");
    }
    assert_eq!(client.get("/rest/v1/items/1").await.json()["code"], "PGRST125");
}

#[tokio::test]
async fn responses_have_vary_and_server_headers() {
    let api = Api::start().await;
    for (method, path) in [("GET", "/items?limit=1"), ("OPTIONS", "/items"), ("HEAD", "/")] {
        let answer = api.send(method, path, &[], "").await;
        assert_eq!(answer.header("vary"), Some("Accept, Prefer, Range"), "{method} {path}");
        assert!(answer.header("server").is_some_and(|server| server.starts_with("postgrest/")));
    }
    assert_eq!(api.get("/nothing").await.header("vary"), None);
}

/// A HEAD response would have to report the length of the GET response, which is unknown.
#[tokio::test]
async fn head_responses_have_no_content_length() {
    let api = Api::start().await;
    for path in ["/items?limit=1", "/items?id=eq.0", "/rpc/noparams", "/"] {
        let answer = api.send("HEAD", path, &[], "").await;
        assert_eq!((answer.status.as_u16(), answer.header("content-length")), (200, None), "{path}");
    }
    assert_eq!(api.get("/items?id=eq.0").await.header("content-length"), Some("2"));
}

struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A client that waits for the port can send requests as soon as the port is open.
#[tokio::test]
async fn the_port_opens_when_the_schema_is_loaded() {
    let database = database().await;
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_rest-gateway"))
        .env("PGRST_DB_URI", uri(&database))
        .env("PGRST_DB_SCHEMAS", "api")
        .env("PGRST_DB_ANON_ROLE", "gateway_anon")
        .env("PGRST_SERVER_HOST", "127.0.0.1")
        .env("PGRST_SERVER_PORT", port.to_string())
        .spawn();
    let _running = Running(program.unwrap());
    let first = tokio::task::spawn_blocking(move || first_answer(port)).await.unwrap();
    assert!(first.starts_with("HTTP/1.1 200") || first.starts_with("HTTP/1.0 200"), "{first}");
    assert!(first.ends_with(r#"[{"id":1}]"#), "{first}");
}

fn first_answer(port: u16) -> String {
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { continue };
        stream.write_all(b"GET /items?id=eq.1 HTTP/1.0\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        return answer;
    }
    panic!("the port never opened");
}
