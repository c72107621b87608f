//! Sends spans to a collector by OTLP over HTTP, as JSON, from a separate thread.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::context::Context;
use super::settings::Settings;
use crate::env::ConfigError;
use crate::version::version;

/// The most spans that wait. Further ones are dropped.
const MAX_WAITING: usize = 2048;
/// The most spans in one request to the collector.
const MAX_BATCH: usize = 512;
const TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for sending the remaining spans when the program ends.
const LAST_SEND: Duration = Duration::from_secs(1);

pub struct Span {
    pub context: Context,
    pub parent: Option<u64>,
    pub name: String,
    /// Whether the span answers a request. Otherwise it is a wait for another server.
    pub is_server: bool,
    pub began: SystemTime,
    pub ended: SystemTime,
    pub failed: bool,
    pub attributes: Vec<(&'static str, String)>,
}

enum Message {
    Span(Box<Span>),
    /// Send everything now, and report when it is done.
    Flush(SyncSender<()>),
}

pub struct Exporter {
    spans: SyncSender<Message>,
    pub ratio: f64,
}

/// Sends the remaining spans when dropped, or gives up after a second.
pub struct TraceGuard(SyncSender<Message>);

impl Drop for TraceGuard {
    fn drop(&mut self) {
        let (done, sent) = sync_channel(1);
        if self.0.try_send(Message::Flush(done)).is_ok() {
            let _ = sent.recv_timeout(LAST_SEND);
        }
    }
}

impl Exporter {
    /// # Errors
    /// When the client or the thread can't be started.
    pub fn start(settings: Settings) -> Result<(Self, TraceGuard), ConfigError> {
        let problem = |error: String| ConfigError::new("OTEL_EXPORTER_OTLP_ENDPOINT", error);
        let client =
            Client::builder().timeout(TIMEOUT).build().map_err(|error| problem(error.to_string()))?;
        let (spans, waiting) = sync_channel(MAX_WAITING);
        let ratio = settings.ratio;
        let thread = std::thread::Builder::new().name("traces".into());
        let run = move || Sender { client, settings, waiting, reported: false }.run();
        thread.spawn(run).map_err(|error| problem(error.to_string()))?;
        Ok((Self { spans: spans.clone(), ratio }, TraceGuard(spans)))
    }

    /// Never waits.
    pub fn record(&self, span: Span) {
        if self.spans.try_send(Message::Span(Box::new(span))).is_err() {
            metrics::counter!("trace_spans_dropped_total").increment(1);
        }
    }
}

struct Sender {
    client: Client,
    settings: Settings,
    waiting: Receiver<Message>,
    /// The last failure was logged. A collector that is down for hours needs one line.
    reported: bool,
}

impl Sender {
    fn run(mut self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        loop {
            let (batch, flushed, is_open) = self.collect();
            if !batch.is_empty() {
                let outcome = runtime.block_on(send(self.request(&batch)));
                self.report(outcome, batch.len());
            }
            if let Some(done) = flushed {
                let _ = done.try_send(());
            }
            if !is_open {
                return;
            }
        }
    }

    /// Waits for the first span, then for more until the batch is full or the delay is over.
    fn collect(&self) -> (Vec<Span>, Option<SyncSender<()>>, bool) {
        let mut batch = Vec::new();
        let mut until = None;
        while batch.len() < MAX_BATCH {
            let received = match until {
                None => self.waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.waiting.recv_timeout(time_until(until)),
            };
            match received {
                Ok(Message::Span(span)) => batch.push(*span),
                Ok(Message::Flush(done)) => return (batch, Some(done), true),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return (batch, None, false),
            }
            until = until.or_else(|| Some(Instant::now() + self.settings.delay));
        }
        (batch, None, true)
    }

    fn request(&self, batch: &[Span]) -> RequestBuilder {
        let request = self.client.post(self.settings.url.clone());
        let headers = self.settings.headers.iter();
        let request = headers.fold(request, |request, (name, value)| request.header(name, value.expose()));
        request.json(&body(&self.settings.service, batch))
    }

    fn report(&mut self, outcome: Result<(), String>, spans: usize) {
        match outcome {
            Ok(()) => self.reported = false,
            Err(error) => {
                metrics::counter!("trace_spans_dropped_total").increment(spans as u64);
                if !std::mem::replace(&mut self.reported, true) {
                    tracing::warn!(%error, "the collector does not accept traces; they are dropped");
                }
            }
        }
    }
}

fn time_until(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

async fn send(request: RequestBuilder) -> Result<(), String> {
    let answer = request.send().await.map_err(|error| error.without_url().to_string())?;
    if answer.status().is_success() { Ok(()) } else { Err(format!("status {}", answer.status().as_u16())) }
}

/// `ExportTraceServiceRequest` in OTLP's JSON.
fn body(service: &str, batch: &[Span]) -> Value {
    let text = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
    json!({ "resourceSpans": [{
        "resource": { "attributes": [text("service.name", service), text("service.version", version())] },
        "scopeSpans": [{
            "scope": { "name": "serasi" },
            "spans": batch.iter().map(span).collect::<Vec<_>>(),
        }],
    }] })
}

fn span(span: &Span) -> Value {
    let attribute = |(key, value): &(&str, String)| match value.parse::<u32>() {
        // 64-bit integers are strings in OTLP's JSON.
        Ok(_) if *key == "http.response.status_code" => json!({ "key": key, "value": { "intValue": value } }),
        _ => json!({ "key": key, "value": { "stringValue": value } }),
    };
    json!({
        "traceId": format!("{:032x}", span.context.trace),
        "spanId": format!("{:016x}", span.context.span),
        "parentSpanId": span.parent.map(|parent| format!("{parent:016x}")).unwrap_or_default(),
        "name": span.name,
        "kind": if span.is_server { 2 } else { 3 },
        "startTimeUnixNano": nanoseconds(span.began),
        "endTimeUnixNano": nanoseconds(span.ended),
        "attributes": span.attributes.iter().map(attribute).collect::<Vec<_>>(),
        "status": { "code": if span.failed { 2 } else { 0 } },
    })
}

fn nanoseconds(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Span {
        let began = UNIX_EPOCH + Duration::from_secs(1);
        Span {
            context: Context { trace: 1, span: 2, sampled: true },
            parent: None,
            name: "GET /user".into(),
            is_server: true,
            began,
            ended: began + Duration::from_millis(3),
            failed: false,
            attributes: vec![("http.response.status_code", "200".into())],
        }
    }

    #[test]
    fn a_span_has_the_format_of_otlp() {
        let body = body("serasi", &[example()]);
        let expected = json!({
            "traceId": "00000000000000000000000000000001", "spanId": "0000000000000002", "parentSpanId": "",
            "name": "GET /user", "kind": 2, "startTimeUnixNano": "1000000000", "endTimeUnixNano": "1003000000",
            "attributes": [{ "key": "http.response.status_code", "value": { "intValue": "200" } }],
            "status": { "code": 0 },
        });
        assert_eq!(body["resourceSpans"][0]["scopeSpans"][0]["spans"], json!([expected]));
    }

    #[test]
    fn spans_beyond_the_queue_are_dropped_without_waiting() {
        let (spans, waiting) = sync_channel(1);
        let exporter = Exporter { spans, ratio: 1.0 };
        for _ in 0..3 {
            exporter.record(example());
        }
        assert_eq!(waiting.try_iter().count(), 1);
    }
}
