//! Traces in OpenTelemetry's format, if `OTEL_EXPORTER_OTLP_ENDPOINT` says where to send them. A request is a
//! span, and so is each wait for the database. A service names its span in `traceparent` when it calls
//! another one (W3C Trace Context).
//!
//! Recording never waits: spans that the collector can't take in time are dropped and counted. Spans have no addresses,
//! parameters, headers or statements.

mod context;
mod export;
mod settings;
mod span;

use std::sync::OnceLock;

use crate::env::{ConfigError, Env};

pub use context::TRACEPARENT;
pub use export::TraceGuard;
pub use span::RequestSpan;

use export::Exporter;

static EXPORTER: OnceLock<Exporter> = OnceLock::new();

/// Starts sending traces if a collector is configured. A second start in one process keeps the first one.
///
/// # Errors
/// When a setting is malformed; the error names it.
pub(crate) fn start(env: &Env) -> Result<Option<TraceGuard>, ConfigError> {
    let Some(settings) = settings::Settings::from_env(env)? else { return Ok(None) };
    if EXPORTER.get().is_some() {
        return Ok(None);
    }
    let (exporter, guard) = Exporter::start(settings)?;
    let _ = EXPORTER.set(exporter);
    Ok(Some(guard))
}
