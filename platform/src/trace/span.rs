//! Spans: a request, and the waits for the database in it.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hyper::{HeaderMap, Method, StatusCode};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::EXPORTER;
use super::context::Context;
use crate::method_name::method_name;

/// Values of `SpanKind` and `StatusCode` in OTLP.
const SERVER: u8 = 2;
const CLIENT: u8 = 3;
const FAILED: u8 = 2;

/// A request that is being answered. It is recorded when it has been answered or canceled.
#[derive(Clone)]
pub struct RequestSpan(Arc<Active>);

struct Active {
    context: Context,
    parent: Option<u64>,
    began: SystemTime,
    method: &'static str,
    id: Arc<str>,
    answer: Mutex<Answer>,
}

#[derive(Default)]
struct Answer {
    matched: Option<(&'static str, String)>,
    status: Option<StatusCode>,
}

impl RequestSpan {
    /// `None` when no traces are sent.
    pub fn begin(method: &Method, headers: &HeaderMap, id: &Arc<str>) -> Option<Self> {
        EXPORTER.get()?;
        let caller = Context::of(headers);
        let context = Context {
            trace: caller.map_or_else(|| rand::random::<u128>().max(1), |caller| caller.trace),
            span: rand::random::<u64>().max(1),
            sampled: caller.is_none_or(|caller| caller.sampled),
        };
        Some(Self(Arc::new(Active {
            context,
            parent: caller.map(|caller| caller.span),
            began: SystemTime::now(),
            method: method_name(method),
            id: Arc::clone(id),
            answer: Mutex::default(),
        })))
    }

    /// Names the span by the template of the service's route.
    pub fn matched(&self, service: &'static str, route: &str) {
        self.0.answer.lock().matched = Some((service, route.to_owned()));
    }

    pub fn answered(&self, status: StatusCode) {
        self.0.answer.lock().status = Some(status);
    }

    /// Records a wait for the database that ends now.
    pub fn waited(&self, time: Duration) {
        let Some(exporter) = EXPORTER.get().filter(|_| self.0.context.sampled) else { return };
        let context = Context { span: rand::random::<u64>().max(1), ..self.0.context };
        let now = SystemTime::now();
        let mut span = span(&context, Some(self.0.context.span), now.checked_sub(time).unwrap_or(now), now);
        span["name"] = json!("postgresql");
        span["kind"] = json!(CLIENT);
        span["attributes"] = json!([text("db.system.name", "postgresql")]);
        exporter.record(span);
    }

    /// The value of `traceparent` for an outgoing request.
    pub fn traceparent(&self) -> String {
        self.0.context.to_string()
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        let Some(exporter) = EXPORTER.get().filter(|_| self.context.sampled) else { return };
        exporter.record(self.ended(SystemTime::now()));
    }
}

impl Active {
    fn ended(&self, now: SystemTime) -> Value {
        let Answer { matched, status } = &*self.answer.lock();
        let mut name = self.method.to_owned();
        let mut attributes =
            vec![text("http.request.method", self.method), text("serasi.request_id", &self.id)];
        if let Some((service, route)) = matched {
            name = format!("{name} {route}");
            attributes.extend([text("serasi.service", service), text("http.route", route)]);
        }
        if let Some(status) = status {
            // 64-bit integers are strings in OTLP's JSON.
            let value = json!({ "intValue": status.as_str() });
            attributes.push(json!({ "key": "http.response.status_code", "value": value }));
        }
        let mut span = span(&self.context, self.parent, self.began, now);
        span["name"] = json!(name);
        span["kind"] = json!(SERVER);
        span["attributes"] = json!(attributes);
        // Without a status, the client disconnected.
        if status.is_none_or(|status| status.is_server_error()) {
            span["status"] = json!({ "code": FAILED });
        }
        span
    }
}

/// A span in OTLP's JSON, still without a name.
fn span(context: &Context, parent: Option<u64>, began: SystemTime, ended: SystemTime) -> Value {
    let nanoseconds =
        |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string();
    json!({
        "traceId": format!("{:032x}", context.trace),
        "spanId": format!("{:016x}", context.span),
        "parentSpanId": parent.map(|parent| format!("{parent:016x}")).unwrap_or_default(),
        "startTimeUnixNano": nanoseconds(began),
        "endTimeUnixNano": nanoseconds(ended),
    })
}

/// An attribute in OTLP's JSON.
pub(super) fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_the_format_of_otlp() {
        let began = UNIX_EPOCH + Duration::from_secs(1);
        let answer = Answer { matched: Some(("auth", "/user".into())), status: Some(StatusCode::OK) };
        let active = Active {
            context: Context { trace: 1, span: 2, sampled: true },
            parent: None,
            began,
            method: "GET",
            id: "x".into(),
            answer: Mutex::new(answer),
        };
        let expected = json!({
            "traceId": "00000000000000000000000000000001", "spanId": "0000000000000002", "parentSpanId": "",
            "name": "GET /user", "kind": 2, "startTimeUnixNano": "1000000000", "endTimeUnixNano": "1003000000",
            "attributes": [
                { "key": "http.request.method", "value": { "stringValue": "GET" } },
                { "key": "serasi.request_id", "value": { "stringValue": "x" } },
                { "key": "serasi.service", "value": { "stringValue": "auth" } },
                { "key": "http.route", "value": { "stringValue": "/user" } },
                { "key": "http.response.status_code", "value": { "intValue": "200" } },
            ],
        });
        assert_eq!(active.ended(began + Duration::from_millis(3)), expected);
        active.answer.lock().status = None;
        assert_eq!(active.ended(began)["status"], json!({ "code": 2 }));
    }
}
