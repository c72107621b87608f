//! Sends spans to a collector by OTLP over HTTP, as JSON, from a separate thread.

use std::sync::mpsc as sync;
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use super::settings::Settings;
use super::span::text;
use crate::env::ConfigError;
use crate::version::version;

/// The most spans that wait. Further ones are dropped.
const MAX_WAITING: usize = 2048;
/// The most spans in one request to the collector.
const MAX_BATCH: usize = 512;
const TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for sending the remaining spans when the program ends.
const LAST_SEND: Duration = Duration::from_secs(1);

enum Message {
    Span(Value),
    /// Send everything now, and drop this when it is done.
    Flush(sync::Sender<()>),
}

pub struct Exporter {
    messages: Sender<Message>,
    pub ratio: f64,
}

/// Sends the remaining spans when dropped, or gives up after a second.
pub struct TraceGuard(Sender<Message>);

impl Drop for TraceGuard {
    fn drop(&mut self) {
        let (done, sent) = sync::channel();
        if self.0.try_send(Message::Flush(done)).is_ok() {
            let _ = sent.recv_timeout(LAST_SEND);
        }
    }
}

impl Exporter {
    /// # Errors
    /// When the client or the thread can't be started.
    pub fn start(settings: Settings) -> Result<(Self, TraceGuard), ConfigError> {
        let Settings { url, headers, service, ratio, delay } = settings;
        let problem = |error: String| ConfigError::new("OTEL_EXPORTER_OTLP_ENDPOINT", error);
        let client = Client::builder().timeout(TIMEOUT).default_headers(headers).build();
        let client = client.map_err(|error| problem(error.to_string()))?;
        let (messages, waiting) = channel(MAX_WAITING);
        let batches = Batches { client, url, service, delay, waiting, is_reported: false };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| problem(error.to_string()))?;
        let thread = std::thread::Builder::new().name("traces".into());
        thread.spawn(move || runtime.block_on(batches.run())).map_err(|error| problem(error.to_string()))?;
        Ok((Self { messages: messages.clone(), ratio }, TraceGuard(messages)))
    }

    /// Never waits.
    pub fn record(&self, span: Value) {
        if self.messages.try_send(Message::Span(span)).is_err() {
            metrics::counter!("trace_spans_dropped_total").increment(1);
        }
    }
}

struct Batches {
    client: Client,
    url: reqwest::Url,
    service: String,
    delay: Duration,
    waiting: Receiver<Message>,
    /// The last failure was logged. A collector that is down for hours needs one line.
    is_reported: bool,
}

impl Batches {
    async fn run(mut self) {
        while let Some(first) = self.waiting.recv().await {
            let (mut spans, mut flush) = (Vec::new(), None);
            let mut next = Some(first);
            let fill = async {
                while let Some(message) = next.take() {
                    match message {
                        Message::Span(span) => spans.push(span),
                        Message::Flush(done) => flush = Some(done),
                    }
                    if spans.len() < MAX_BATCH && flush.is_none() {
                        next = self.waiting.recv().await;
                    }
                }
            };
            let _ = timeout(self.delay, fill).await;
            if !spans.is_empty() {
                self.send(&spans).await;
            }
        }
    }

    async fn send(&mut self, spans: &[Value]) {
        let request = self.client.post(self.url.clone()).json(&body(&self.service, spans));
        match request.send().await.and_then(reqwest::Response::error_for_status) {
            Ok(_) => self.is_reported = false,
            Err(error) => {
                metrics::counter!("trace_spans_dropped_total").increment(spans.len() as u64);
                if !std::mem::replace(&mut self.is_reported, true) {
                    let error = error.without_url();
                    tracing::warn!(%error, "the collector does not accept traces; they are dropped");
                }
            }
        }
    }
}

/// `ExportTraceServiceRequest` in OTLP's JSON.
fn body(service: &str, spans: &[Value]) -> Value {
    json!({ "resourceSpans": [{
        "resource": { "attributes": [text("service.name", service), text("service.version", version())] },
        "scopeSpans": [{ "scope": { "name": "serasi" }, "spans": spans }],
    }] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_beyond_the_queue_are_dropped_without_waiting() {
        let (messages, mut waiting) = channel(1);
        let exporter = Exporter { messages, ratio: 1.0 };
        for _ in 0..3 {
            exporter.record(json!({}));
        }
        assert!(waiting.try_recv().is_ok() && waiting.try_recv().is_err());
    }
}
