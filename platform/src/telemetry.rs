//! Log lines on standard error: `RUST_LOG` chooses what is said, the default is quiet. Counts for operators.

use std::sync::OnceLock;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::env::{ConfigError, Env};

/// # Errors
/// When `RUST_LOG` is not understood.
pub fn start(env: &Env) -> Result<(), ConfigError> {
    let wanted = env.optional("RUST_LOG").unwrap_or("warn");
    let filter =
        EnvFilter::try_new(wanted).map_err(|error| ConfigError::new("RUST_LOG", error.to_string()))?;
    // A second start in one process (tests) keeps the first one's subscriber.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    Ok(())
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
    let answer = || async { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], counts.render()) };
    Router::new().route("/metrics", get(answer))
}
