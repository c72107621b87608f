//! Sends spans to a collector by OTLP over HTTP, as JSON, from a separate thread.

use std::sync::mpsc as sync;
use std::time::Duration;

use reqwest::{Client, Url};
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::settings::Settings;
use super::span::text;
use crate::env::ConfigError;
use crate::version::version;

/// The most spans that wait. Further ones are dropped.
const MAX_WAITING: usize = 2048;
/// The most spans in one request to the collector.
const MAX_BATCH: usize = 512;
/// Pause after a request with fewer spans.
const PAUSE: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for sending the remaining spans when the program ends.
const LAST_SEND: Duration = Duration::from_secs(1);

pub struct Exporter(Sender<Value>);

/// Sends the remaining spans when dropped, or gives up after a second.
pub struct TraceGuard {
    stop: Option<oneshot::Sender<()>>,
    ended: sync::Receiver<()>,
}

impl Drop for TraceGuard {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.ended.recv_timeout(LAST_SEND);
    }
}

impl Exporter {
    /// # Errors
    /// When the client or the thread can't be started.
    pub fn start(settings: Settings) -> Result<(Self, TraceGuard), ConfigError> {
        let Settings { url, headers, service } = settings;
        let problem = |error: String| ConfigError::new("OTEL_EXPORTER_OTLP_ENDPOINT", error);
        let client = Client::builder().timeout(TIMEOUT).default_headers(headers).build();
        let client = client.map_err(|error| problem(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| problem(error.to_string()))?;
        let ((spans, waiting), (stop, stopped)) = (channel(MAX_WAITING), oneshot::channel());
        let (running, ended) = sync::channel::<()>();
        let thread = std::thread::Builder::new().name("traces".into()).spawn(move || {
            let _running = running;
            runtime.block_on(send_all(&client, &url, &service, waiting, stopped));
        });
        thread.map_err(|error| problem(error.to_string()))?;
        Ok((Self(spans), TraceGuard { stop: Some(stop), ended }))
    }

    /// Never waits.
    pub fn record(&self, span: Value) {
        if self.0.try_send(span).is_err() {
            metrics::counter!("trace_spans_dropped_total").increment(1);
        }
    }
}

/// Sends spans until `stop`, then those that wait.
async fn send_all(
    client: &Client,
    url: &Url,
    service: &str,
    mut waiting: Receiver<Value>,
    mut stop: oneshot::Receiver<()>,
) {
    let mut is_reported = false;
    loop {
        let mut spans = Vec::new();
        tokio::select! {
            biased;
            count = waiting.recv_many(&mut spans, MAX_BATCH) => if count == 0 { return },
            _ = &mut stop, if !waiting.is_closed() => {
                waiting.close();
                continue;
            }
        }
        let request = client.post(url.clone()).json(&body(service, &spans));
        match request.send().await.and_then(reqwest::Response::error_for_status) {
            Ok(_) => is_reported = false,
            Err(error) => {
                metrics::counter!("trace_spans_dropped_total").increment(spans.len() as u64);
                // A collector that is down for hours needs one line.
                if !std::mem::replace(&mut is_reported, true) {
                    let error = error.without_url();
                    tracing::warn!(%error, "the collector does not accept traces; they are dropped");
                }
            }
        }
        if spans.len() < MAX_BATCH && !waiting.is_closed() {
            tokio::select! {
                () = sleep(PAUSE) => {}
                _ = &mut stop => waiting.close(),
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
        let (spans, mut waiting) = channel(1);
        let exporter = Exporter(spans);
        for _ in 0..3 {
            exporter.record(json!({}));
        }
        assert!(waiting.try_recv().is_ok() && waiting.try_recv().is_err());
    }
}
