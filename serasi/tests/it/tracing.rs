//! Traces of one request through the functions, the auth service and the gateway to the database, as a
//! collector receives them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::prepared;
use crate::product::Product;
use crate::support::{free_port, refusal, up};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const PASSWORD: &str = "correct horse battery";

/// What the collector has received.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<(HeaderMap, Value)>>>);

impl Collector {
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let receive =
            async |State(Self(received)): State<Self>, headers: HeaderMap, body: axum::Json<Value>| {
                received.lock().unwrap().push((headers, body.0));
            };
        let app = Router::new().route("/v1/traces", post(receive)).with_state(collector.clone());
        tokio::spawn(async { axum::serve(listener, app).await });
        (collector, url)
    }

    fn spans(&self) -> Vec<Value> {
        let received = self.0.lock().unwrap();
        let spans = received.iter().flat_map(|(_, body)| {
            body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
        });
        spans.filter(|span| span["traceId"] == TRACE).collect()
    }

    /// Asserts that none of these was sent, but the collector's key was.
    fn assert_has_none_of(&self, secrets: &[&str]) {
        let sent = self.0.lock().unwrap();
        assert!(sent.iter().all(|(headers, _)| headers["x-collector-key"] == "abc"));
        let text = sent.iter().map(|(_, body)| body.to_string()).collect::<String>();
        for secret in secrets {
            assert!(!text.contains(secret), "{secret} was sent to the collector");
        }
    }

    /// Waits until the trace has arrived: spans are sent when they end, the outermost one last.
    async fn trace(&self) -> Vec<Value> {
        for _ in 0..500 {
            let spans = self.spans();
            if spans.iter().any(|span| span["parentSpanId"] == CALLER) {
                return spans;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the trace has not arrived: {:?}", self.spans())
    }
}

fn attribute<'a>(span: &'a Value, name: &str) -> &'a str {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|attribute| attribute["key"] == name);
    found.and_then(|attribute| attribute["value"]["stringValue"].as_str()).unwrap_or_default()
}

#[tokio::test]
async fn one_trace_leads_from_the_function_to_the_statements() {
    let (collector, url) = Collector::start().await;
    let data_dir = prepared::data_dir();
    let product = Product::start(
        data_dir.path(),
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", &url), ("OTEL_EXPORTER_OTLP_HEADERS", "x-collector-key=abc")],
    );
    let operator = json!({
        "email": "ops@demo.serasi.test", "password": PASSWORD, "email_confirm": true,
        "app_metadata": { "marketplace_role": "superadmin" },
    });
    let created = product.request(Method::POST, "/auth/v1/admin/users").json(&operator).send().await.unwrap();
    assert_eq!(created.status(), StatusCode::OK, "{}", created.text().await.unwrap());
    let sign_in = product.request(Method::POST, "/auth/v1/token?grant_type=password").json(&operator);
    let session: Value = sign_in.send().await.unwrap().json().await.unwrap();
    let token = session["access_token"].as_str().unwrap();

    let admin = json!({ "email": "new-admin@demo.serasi.test", "password": PASSWORD });
    let address = format!("http://127.0.0.1:{}/functions/v1/create-admin?probe=hush-hush", product.port);
    let call = Client::new().post(address).bearer_auth(token).json(&admin);
    let answer = call.header("traceparent", format!("00-{TRACE}-{CALLER}-01")).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());

    let spans = collector.trace().await;
    let of_service = |service: &str| -> Vec<&Value> {
        spans.iter().filter(|span| attribute(span, "serasi.service") == service).collect()
    };
    let [function] = of_service("functions")[..] else { panic!("{spans:#?}") };
    assert_eq!((&function["name"], &function["kind"]), (&json!("POST /create-admin"), &json!(2)));
    assert_eq!(function["parentSpanId"], CALLER);
    for service in ["auth", "gateway"] {
        let requests = of_service(service);
        assert!(!requests.is_empty(), "{service}: {spans:#?}");
        for request in requests {
            assert_eq!(request["parentSpanId"], function["spanId"], "{request}");
            let statements = spans.iter().filter(|span| span["parentSpanId"] == request["spanId"]);
            let systems: Vec<&str> = statements.map(|span| attribute(span, "db.system.name")).collect();
            assert!(!systems.is_empty() && systems.iter().all(|system| *system == "postgresql"), "{request}");
        }
    }
    collector.assert_has_none_of(&[PASSWORD, token, "new-admin", "ops@", "hush-hush"]);
    collector.assert_has_none_of(&[&product.settings["SERVICE_ROLE_KEY"]]);
}

#[tokio::test]
async fn requests_do_not_wait_for_a_collector_that_does_not_answer() {
    // Nobody accepts these connections, so they stay in the backlog.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let data_dir = prepared::data_dir();
    let product = Product::start(data_dir.path(), &[("OTEL_EXPORTER_OTLP_ENDPOINT", url.as_str())]);
    for _ in 0..20 {
        assert_eq!(product.get("/rest/v1/profiles?limit=1").await.status(), StatusCode::OK);
    }
    product.launcher.signal("-TERM");
    assert!(product.launcher.wait().success());
}

#[test]
fn a_malformed_setting_of_traces_is_rejected() {
    let data_dir = tempfile::tempdir().unwrap();
    let mut command = up(data_dir.path(), free_port());
    let output = command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318").output().unwrap();
    assert!(refusal(&output).contains("OTEL_EXPORTER_OTLP_ENDPOINT"));
}
