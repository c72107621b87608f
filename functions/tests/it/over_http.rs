//! Tests over a real socket, as browsers and attackers connect: headers, limits and all.

use std::fs::File;
use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use test_support::person::{anon_key, service_key};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::stack::{PASSWORD, Stack, email, http, new_admin};

const OURS: &str = "https://serasi.test";

/// Asserts an error: JSON with a message, readable by our pages, and marked if it comes from the platform.
async fn assert_error(answer: Response, status: u16, by_platform: bool) -> String {
    assert_eq!(answer.status().as_u16(), status);
    let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("application/json"));
    assert_eq!(header("access-control-allow-origin").as_deref(), Some(OURS), "{status}");
    assert_eq!(header("access-control-expose-headers").as_deref(), Some("x-relay-error"));
    assert_eq!(header("x-relay-error").as_deref(), by_platform.then_some("true"), "{status}");
    assert_eq!(header("cache-control").as_deref(), Some("no-store"));
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body.as_object().unwrap().len(), 1);
    body["error"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_failure_is_json_that_our_pages_can_read() {
    let stack = Stack::start().await;
    let token = stack.officer("superadmin").await;
    let url = stack.functions_listening().await;
    let http = http();
    let ask = |method: Method, path: &str, token: Option<&str>| {
        let request = http.request(method, format!("{url}{path}")).header("origin", OURS);
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    };
    let post = |token: Option<&str>| ask(Method::POST, "/create-admin", token);
    let sent = async |request: reqwest::RequestBuilder| request.send().await.unwrap();

    let missing = sent(post(None).json(&new_admin())).await;
    assert_eq!(assert_error(missing, 401, true).await, "Missing authorization header");
    let only_apikey = sent(post(None).header("apikey", service_key()).json(&new_admin())).await;
    assert_eq!(assert_error(only_apikey, 401, true).await, "Missing authorization header");
    let in_the_address = ask(Method::POST, &format!("/create-admin?access_token={token}"), None);
    assert_eq!(assert_error(sent(in_the_address).await, 401, true).await, "Missing authorization header");
    assert_eq!(assert_error(sent(post(Some("x.y.z"))).await, 401, true).await, "Invalid JWT");
    assert_error(sent(ask(Method::POST, "/drop-admin", Some(&token))).await, 404, true).await;
    assert_error(sent(ask(Method::GET, "/", None)).await, 404, true).await;
    assert_error(sent(post(Some(&anon_key())).json(&new_admin())).await, 401, false).await;
    assert_error(sent(post(Some(&service_key())).json(&new_admin())).await, 403, false).await;
    assert_error(sent(post(Some(&token)).body("{\"email\":")).await, 400, false).await;
    assert_error(sent(post(Some(&token)).body("email=a%40b.co&password=123456")).await, 400, false).await;
    assert_error(sent(post(Some(&token)).body(vec![b' '; 1024 * 1024 + 1])).await, 413, false).await;
    assert_error(sent(ask(Method::POST, "/create-admin/more", Some(&token))).await, 404, false).await;
    assert_error(sent(ask(Method::POST, "/create-admin/more", None)).await, 401, true).await;
    for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
        for token in [None, Some(token.as_str())] {
            let answer = sent(ask(method.clone(), "/create-admin", token)).await;
            assert_eq!(answer.headers()["allow"], "POST");
            assert_error(answer, 405, false).await;
        }
    }
    assert_eq!(stack.accounts().await, 1);

    // Bodies are JSON regardless of their content type, and a region has no effect.
    let body = serde_json::to_string(&new_admin()).unwrap();
    let path = "/create-admin?forceFunctionRegion=eu-west-1";
    let request =
        ask(Method::POST, path, Some(&token)).header("content-type", "text/plain").header("x-region", "any");
    let made = sent(request.body(body)).await;
    assert_eq!((made.status().as_u16(), made.headers().get("x-relay-error")), (200, None));
}

#[tokio::test]
async fn the_methods_of_each_function_are_named() {
    let url = Stack::start().await.functions_listening().await;
    let answer = http().put(format!("{url}/unsubscribe")).header("origin", OURS).send().await.unwrap();
    assert_eq!(answer.headers()["allow"], "POST,GET,HEAD");
    assert_error(answer, 405, false).await;
}

#[tokio::test]
async fn slow_bodies_time_out() {
    let stack = Stack::start().await;
    let token = stack.officer("superadmin").await;
    let url = stack.functions_listening().await;
    let mut stream = TcpStream::connect(url.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "POST /create-admin HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: 100\r\n\r\n{{\"email\""
    );
    stream.write_all(head.as_bytes()).await.unwrap();

    let mut answer = vec![0; 4096];
    let reading = tokio::time::timeout(Duration::from_secs(10), stream.read(&mut answer)).await;
    let answer = String::from_utf8_lossy(&answer[..reading.unwrap().unwrap()]).into_owned();

    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.ends_with(r#"{"error":"The request body took too long"}"#), "{answer}");
}

/// Runs the binary at the most verbose log level.
#[tokio::test]
async fn the_log_contains_no_secrets() {
    let stack = Stack::start().await;
    let token = stack.officer("superadmin").await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // A file, because a pipe that is not read would block the process.
    let path = std::env::temp_dir().join(format!("serasi-functions-{port}.log"));
    let file = File::create(&path).unwrap();
    let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_functions"))
        .env_clear()
        .envs(stack.environment())
        .envs([("PORT", port.to_string()), ("RUST_LOG", "trace".to_owned())])
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let url = format!("http://127.0.0.1:{port}/create-admin");
    let http = http();
    let listens = async {
        while http.get(&url).send().await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), listens).await.unwrap();
    let wrong = json!({ "email": email("new"), "password": "12345" });
    for (body, status) in [(new_admin(), 200), (new_admin(), 409), (wrong, 400)] {
        assert_eq!(http.post(&url).bearer_auth(&token).json(&body).send().await.unwrap().status(), status);
    }
    stack.gateway.stop().await;
    assert_eq!(http.post(&url).bearer_auth(&token).json(&new_admin()).send().await.unwrap().status(), 503);

    let log = || std::fs::read_to_string(&path).unwrap();
    // A thread of its own writes the log.
    let written = async {
        while !log().contains("a service does not answer") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let written = tokio::time::timeout(Duration::from_secs(10), written).await;
    program.kill().await.unwrap();
    let log = log();
    std::fs::remove_file(&path).unwrap();
    assert!(written.is_ok() && log.contains("admin_created"), "{log}");
    for secret in
        [PASSWORD, &token, &service_key(), &anon_key(), &email("new"), &email("superadmin"), "12345\""]
    {
        assert!(!log.contains(secret), "{secret}");
    }
}
