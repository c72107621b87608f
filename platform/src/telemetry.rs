//! Logs to standard error, filtered by `RUST_LOG`; the default logs warnings, errors and security events.
//! Metrics for operators.

mod request_line;

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::time::Duration;

use ::metrics::{describe_counter, describe_gauge, describe_histogram};
use axum::Router;
use axum::http::header;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use parking_lot::Mutex;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::FormatEvent;
use tracing_subscriber::fmt::format::{DefaultFields, JsonFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::env::{ConfigError, Env};
use crate::measure;
use crate::trace::{self, TraceGuard};

/// Sign-ins, rejections and operators' actions must be available for audits.
const DEFAULT: &str = "warn,security=info";

/// Log lines buffered for a slow reader of standard error. Further lines are dropped and counted.
const WAITING_LINES: usize = 8192;

/// Of each output.
static DROPPED_LINES: Mutex<Vec<ErrorCounter>> = Mutex::new(Vec::new());

/// Writes the remaining lines when dropped, or gives up after a second when nothing reads them.
#[must_use = "lines are lost when it is dropped before the end of `main`"]
pub struct LogGuard {
    /// Dropped first: a failure of the last traces is logged.
    _traces: Option<TraceGuard>,
    _worker: WorkerGuard,
    _output: Option<WorkerGuard>,
}

/// Starts logging from a separate thread, so that no request waits for the reader of standard error.
///
/// # Errors
/// Fails when `RUST_LOG`, `LOG_FORMAT` or a setting of traces is malformed.
pub fn start(env: &Env) -> Result<LogGuard, ConfigError> {
    let is_colored = std::io::stderr().is_terminal() && env.optional("NO_COLOR").is_none();
    start_with(env, is_colored, request_line::text(is_colored))
}

/// Starts logging in another format, and returns a writer for other lines, such as an access log.
///
/// # Errors
/// See [`start`].
pub fn start_with_output<F>(env: &Env, format: F) -> Result<(LogGuard, StandardOutput), ConfigError>
where
    F: FormatEvent<Registry, DefaultFields> + Send + Sync + 'static,
{
    let guard = start_with(env, false, format)?;
    let (writer, worker) = in_background(std::io::stdout());
    Ok((LogGuard { _output: Some(worker), ..guard }, StandardOutput { writer }))
}

fn start_with<F>(env: &Env, is_colored: bool, format: F) -> Result<LogGuard, ConfigError>
where
    F: FormatEvent<Registry, DefaultFields> + Send + Sync + 'static,
{
    let filter = filter(env)?;
    let (writer, worker) = in_background(std::io::stderr());
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(is_colored);
    let lines = if is_json(env)? {
        lines.fmt_fields(JsonFields::new()).event_format(request_line::json()).boxed()
    } else {
        lines.event_format(format).boxed()
    };
    // A second start in one process (as in tests) keeps the first subscriber.
    let started = tracing_subscriber::registry().with(lines).with(filter).try_init().is_ok();
    let traces = trace::start(env)?;
    if started {
        log_panics();
    }
    Ok(LogGuard { _traces: traces, _worker: worker, _output: None })
}

fn in_background(output: impl Write + Send + 'static) -> (NonBlocking, WorkerGuard) {
    let builder = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(WAITING_LINES);
    let (writer, worker) = builder.finish(output);
    DROPPED_LINES.lock().push(writer.error_counter());
    (writer, worker)
}

fn is_json(env: &Env) -> Result<bool, ConfigError> {
    match env.optional("LOG_FORMAT") {
        None | Some("text") => Ok(false),
        Some("json") => Ok(true),
        Some(other) => Err(ConfigError::new("LOG_FORMAT", format!("`{other}` is neither `text` nor `json`"))),
    }
}

/// Writes lines to standard output from a separate thread.
pub struct StandardOutput {
    writer: NonBlocking,
}

impl StandardOutput {
    /// Lines are dropped while too many wait for a slow reader.
    pub fn write(&self, line: &str) {
        let _ = self.writer.clone().write_all(line.as_bytes());
    }
}

/// Replaces the standard hook, which writes to standard error directly and would block on its reader.
fn log_panics() {
    let standard = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if tracing::enabled!(tracing::Level::ERROR) {
            let backtrace = std::backtrace::Backtrace::capture();
            tracing::error!(%panic, %backtrace, "a thread panicked");
        } else {
            standard(panic);
        }
    }));
}

fn filter(env: &Env) -> Result<EnvFilter, ConfigError> {
    let wanted = env.optional("RUST_LOG").unwrap_or(DEFAULT);
    EnvFilter::try_new(wanted).map_err(|error| ConfigError::new("RUST_LOG", error.to_string()))
}

/// Seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// Seconds between two compactions of the durations that were recorded since the last scrape.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

static COUNTS: OnceLock<PrometheusHandle> = OnceLock::new();

/// Starts counting. Call it before any code keeps handles of its metrics: earlier handles count nothing.
pub fn install_metrics() -> PrometheusHandle {
    let install = || {
        let builder = PrometheusBuilder::new();
        let times = Matcher::Full(measure::DURATION.to_owned());
        // Fails only without buckets.
        let builder = builder.set_buckets_for_metric(times, &BUCKETS).unwrap_or_default();
        let recorder = builder.build_recorder();
        let counts = recorder.handle();
        // Keeps a recorder that the embedding process may have installed.
        let _ = ::metrics::set_global_recorder(recorder);
        describe();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(upkeep(counts.clone()));
        }
        counts
    };
    COUNTS.get_or_init(install).clone()
}

/// Without it, the recorded durations of a service that is never scraped would use more and more memory.
async fn upkeep(counts: PrometheusHandle) {
    let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
    loop {
        ticks.tick().await;
        counts.run_upkeep();
    }
}

fn describe() {
    for (counter, meaning) in [
        (measure::REQUESTS, "Requests by service, method, route template and status"),
        ("http_connections_refused_total", "Connections refused by the connection limits"),
        ("handler_panics_total", "Requests that ended with a panic"),
        ("trace_spans_dropped_total", "Spans dropped because the collector was too slow or failed"),
        ("log_lines_dropped_total", "Log lines dropped because their reader was too slow"),
    ] {
        describe_counter!(counter, meaning);
    }
    for (gauge, meaning) in [
        (measure::IN_FLIGHT, "Requests being answered, by service"),
        ("http_body_buffered_bytes", "Memory taken by request bodies"),
        ("db_pool_max", "Maximum number of connections of a pool"),
        ("db_pool_connections", "Open connections of a pool"),
        ("db_pool_idle", "Idle connections of a pool"),
        ("db_pool_waiting", "Requests waiting for a connection of a pool"),
        ("serasi_build_info", "The version of the program"),
    ] {
        describe_gauge!(gauge, meaning);
    }
    let meaning = "Time until the head of the response, by service and route template";
    describe_histogram!(measure::DURATION, meaning);
    ::metrics::gauge!("serasi_build_info", "version" => crate::version::version()).set(1);
    // Alerts need a value before the first event.
    for event in ["handler_panics_total", "http_connections_refused_total", "log_lines_dropped_total"] {
        ::metrics::counter!(event).increment(0);
    }
    ::metrics::gauge!("http_body_buffered_bytes").increment(0);
}

/// `/metrics`: counters since [`install_metrics`], in Prometheus format. `observe` sets gauges before each answer. For
/// operators only; must not be publicly reachable.
pub fn metrics(observe: impl Fn() + Clone + Send + Sync + 'static) -> Router {
    let counts = install_metrics();
    let answer = async move || {
        observe();
        let dropped: usize = DROPPED_LINES.lock().iter().map(ErrorCounter::dropped_lines).sum();
        ::metrics::counter!("log_lines_dropped_total").absolute(dropped as u64);
        ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], counts.render())
    };
    Router::new().route("/metrics", get(answer))
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Mutex;

    use super::*;

    fn logged(env: &Env) -> String {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_env_filter(filter(env).unwrap())
            .with_writer(Mutex::new(writer));
        tracing::subscriber::with_default(subscriber.finish(), || {
            tracing::info!(target: "security", "signed in");
            tracing::info!("a step");
            tracing::warn!("a problem");
        });
        let mut lines = String::new();
        reader.read_to_string(&mut lines).unwrap();
        lines
    }

    #[test]
    fn warnings_and_security_events_are_logged_by_default() {
        let text = logged(&Env::default());
        assert!(text.contains("signed in") && text.contains("a problem"), "{text}");
        assert!(!text.contains("a step"), "{text}");
    }

    #[test]
    fn rust_log_overrides_the_default() {
        assert_eq!(logged(&Env::from_iter([("RUST_LOG", "off")])), "");
        assert_eq!(filter(&Env::from_iter([("RUST_LOG", "a=b=c")])).err().unwrap().variable, "RUST_LOG");
    }
}
