//! The state that all requests share.

pub mod database_settings;
pub mod health;
mod listener;
mod reload;
pub mod reload_requests;
mod session_error;
pub mod snapshot;

use std::sync::Arc;

use platform::clock::Clock;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::admission::{Admission, Limits};
use crate::auth::Authenticator;
use crate::config::Config;
use crate::log::Debounced;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::replicas::Replicas;
use crate::response::budget::ResponseBudget;
use health::Health;
use reload::Reloader;
use reload_requests::ReloadRequests;
use snapshot::{Current, Snapshot};

pub struct AppState {
    pub pool: Arc<Pool>,
    /// Standbys that serve reads.
    pub replicas: Option<Replicas>,
    pub admission: Admission,
    pub current: Current,
    pub responses: ResponseBudget,
    pub health: Health,
    pub metrics: Arc<Metrics>,
    pub reloads: ReloadRequests,
    /// Limits the log lines about a busy pool.
    pub pool_timeouts: Debounced,
    reloader: AbortHandle,
}

impl AppState {
    /// Loads the first snapshot in the background. Must be called inside a runtime, because it spawns a task.
    ///
    /// # Errors
    /// When the settings are invalid.
    pub fn new(config: Config, clock: Clock) -> anyhow::Result<Self> {
        let metrics = Arc::new(Metrics::new(config.database.pool_size));
        let authenticator = Authenticator::new(&config, clock.clone(), Arc::clone(&metrics))?;
        let pool = Arc::new(Pool::new(&config.database));
        let admission = Admission::new(Limits::from_config(&config));
        let responses = ResponseBudget::new(config.database.largest_row);
        // From the file and the environment, until the settings in the database are known.
        let initial = Snapshot { config: config.clone(), authenticator, schema: None };
        let (sender, current) = watch::channel(Arc::new(initial));
        let replicas = Replicas::start(&config, clock.clone());
        let (health, reloads) = (Health::default(), ReloadRequests::default());
        let reloader = Reloader {
            config,
            clock,
            current: sender,
            pool: Arc::clone(&pool),
            requests: reloads.clone(),
            health: health.clone(),
            metrics: Arc::clone(&metrics),
        };
        let reloader = tokio::spawn(reloader.run()).abort_handle();
        Ok(Self {
            pool,
            replicas,
            admission,
            current,
            responses,
            health,
            metrics,
            reloads,
            pool_timeouts: Debounced::start(),
            reloader,
        })
    }

    /// Stops reloading and closes the connection pool. Later requests fail.
    pub fn stop(&self) {
        self.reloader.abort();
        self.pool.close();
        if let Some(replicas) = &self.replicas {
            replicas.stop();
        }
    }
}

impl Drop for AppState {
    fn drop(&mut self) {
        self.reloader.abort();
    }
}
