//! Log lines on standard error. `RUST_LOG` chooses what is said; the default is quiet.

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
