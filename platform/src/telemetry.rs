//! Log lines on standard error: `RUST_LOG` chooses what is said; the default is quiet but for what bears on
//! security. Counts for operators.

use std::sync::OnceLock;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

use crate::env::{ConfigError, Env};

/// Who signed in, who was refused and what operators did must be there to look up afterwards.
const DEFAULT: &str = "warn,security=info";

/// Lines that wait for a slow reader of standard error. More are dropped and counted.
const WAITING_LINES: usize = 8192;

static DROPPED_LINES: OnceLock<ErrorCounter> = OnceLock::new();

/// Writes the last lines when it is dropped, or gives up after a second when nobody reads them.
#[must_use = "lines are lost when it is dropped before the end of `main`"]
pub struct LogGuard {
    _worker: WorkerGuard,
}

/// Starts to log from a thread of its own: no request waits for the reader of standard error or fails with it.
///
/// # Errors
/// When `RUST_LOG` is not understood.
pub fn start(env: &Env) -> Result<LogGuard, ConfigError> {
    let filter = filter(env)?;
    let (writer, guard) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(WAITING_LINES)
        .finish(std::io::stderr());
    let _ = DROPPED_LINES.set(writer.error_counter());
    // A second start in one process (tests) keeps the first one's subscriber.
    let started = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).try_init();
    if started.is_ok() {
        log_panics();
    }
    Ok(LogGuard { _worker: guard })
}

/// The standard hook writes to standard error itself, and would wait for its reader.
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

/// `/metrics`: what this process counts from the first call of this on, as Prometheus reads it. For operators'
/// eyes: never part of what the public reaches.
pub fn metrics() -> Router {
    static COUNTS: OnceLock<PrometheusHandle> = OnceLock::new();
    let counts = COUNTS.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let counts = recorder.handle();
        // Somebody else's recorder, in a process that is not ours, stays.
        let _ = ::metrics::set_global_recorder(recorder);
        counts
    });
    let answer = || async {
        if let Some(dropped) = DROPPED_LINES.get() {
            ::metrics::counter!("log_lines_dropped_total").absolute(dropped.dropped_lines() as u64);
        }
        ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], counts.render())
    };
    Router::new().route("/metrics", get(answer))
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Mutex;

    use super::*;

    fn said(env: &Env) -> String {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_env_filter(filter(env).unwrap())
            .with_writer(Mutex::new(writer));
        tracing::subscriber::with_default(subscriber.finish(), || {
            tracing::info!(target: "security", "signed in");
            tracing::info!("a step");
            tracing::warn!("a trouble");
        });
        let mut lines = String::new();
        reader.read_to_string(&mut lines).unwrap();
        lines
    }

    #[test]
    fn unless_told_otherwise_security_and_trouble_are_heard() {
        let text = said(&Env::default());
        assert!(text.contains("signed in") && text.contains("a trouble"), "{text}");
        assert!(!text.contains("a step"), "{text}");
    }

    #[test]
    fn operators_choose_what_is_said() {
        assert_eq!(said(&Env::from_iter([("RUST_LOG", "off")])), "");
        assert_eq!(filter(&Env::from_iter([("RUST_LOG", "a=b=c")])).err().unwrap().variable, "RUST_LOG");
    }
}
