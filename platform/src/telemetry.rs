//! Logs to standard error, filtered by `RUST_LOG`; the default logs warnings, errors and security events.
//! Metrics for operators.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::FormatEvent;
use tracing_subscriber::fmt::format::DefaultFields;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::env::{ConfigError, Env};

/// Sign-ins, rejections and operators' actions must be available for audits.
const DEFAULT: &str = "warn,security=info";

/// Log lines buffered for a slow reader of standard error. Further lines are dropped and counted.
const WAITING_LINES: usize = 8192;

static DROPPED_LINES: OnceLock<ErrorCounter> = OnceLock::new();

/// Writes the remaining lines when dropped, or gives up after a second when nothing reads them.
#[must_use = "lines are lost when it is dropped before the end of `main`"]
pub struct LogGuard {
    _worker: WorkerGuard,
}

/// Starts logging from a separate thread, so that no request waits for the reader of standard error.
///
/// # Errors
/// Fails when `RUST_LOG` is malformed.
pub fn start(env: &Env) -> Result<LogGuard, ConfigError> {
    let filter = filter(env)?;
    let (writer, guard) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(WAITING_LINES)
        .finish(std::io::stderr());
    let _ = DROPPED_LINES.set(writer.error_counter());
    // A second start in one process (as in tests) keeps the first subscriber.
    let is_colored = std::io::stderr().is_terminal() && env.optional("NO_COLOR").is_none();
    let lines = tracing_subscriber::fmt().with_ansi(is_colored).with_env_filter(filter).with_writer(writer);
    let started = lines.try_init();
    if started.is_ok() {
        log_panics();
    }
    Ok(LogGuard { _worker: guard })
}

/// Starts logging in another format, and returns a writer for other lines, such as an access log. One thread writes
/// both, so that their order is kept.
///
/// # Errors
/// Fails when `RUST_LOG` is malformed.
pub fn start_with_output<F>(env: &Env, format: F) -> Result<(LogGuard, StandardOutput), ConfigError>
where
    F: FormatEvent<Registry, DefaultFields> + Send + Sync + 'static,
{
    let filter = filter(env)?;
    let (writer, guard) =
        NonBlockingBuilder::default().lossy(true).buffered_lines_limit(WAITING_LINES).finish(Streams);
    let _ = DROPPED_LINES.set(writer.error_counter());
    let lines =
        tracing_subscriber::fmt::layer().with_ansi(false).event_format(format).with_writer(writer.clone());
    let started = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
    if started.is_ok() {
        log_panics();
    }
    Ok((LogGuard { _worker: guard }, StandardOutput { writer }))
}

/// Writes lines to standard output from a separate thread.
pub struct StandardOutput {
    writer: NonBlocking,
}

impl StandardOutput {
    /// Lines are dropped while too many wait for a slow reader.
    pub fn write(&self, line: &str) {
        let mut marked = Vec::with_capacity(line.len() + 1);
        marked.push(TO_STANDARD_OUTPUT);
        marked.extend_from_slice(line.as_bytes());
        let _ = self.writer.clone().write_all(&marked);
    }
}

/// The first byte of lines for standard output. Log lines begin with other bytes.
const TO_STANDARD_OUTPUT: u8 = 1;

/// Standard error, and standard output for lines that are marked.
struct Streams;

impl Write for Streams {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        match line.strip_prefix(&[TO_STANDARD_OUTPUT]) {
            Some(line) => {
                let mut output = std::io::stdout().lock();
                output.write_all(line)?;
                output.flush()?;
            }
            None => std::io::stderr().lock().write_all(line)?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
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

static COUNTS: OnceLock<PrometheusHandle> = OnceLock::new();

/// Starts counting. Call it before anything keeps handles of its metrics: earlier ones count nothing.
pub fn install_metrics() -> PrometheusHandle {
    let install = || {
        let recorder = PrometheusBuilder::new().build_recorder();
        let counts = recorder.handle();
        // Keeps a recorder that the embedding process may have installed.
        let _ = ::metrics::set_global_recorder(recorder);
        counts
    };
    COUNTS.get_or_init(install).clone()
}

/// `/metrics`: counters since [`install_metrics`], in Prometheus format. For operators only; must not be publicly
/// reachable.
pub fn metrics() -> Router {
    let counts = install_metrics();
    let answer = async move || {
        if let Some(dropped) = DROPPED_LINES.get() {
            ::metrics::counter!("log_lines_dropped_total").absolute(dropped.dropped_lines() as u64);
        }
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
