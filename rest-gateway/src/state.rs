//! The state that all requests share.

mod reload;
pub mod snapshot;

use platform::clock::Clock;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::admission::{Admission, Limits};
use crate::auth::Authenticator;
use crate::config::Config;
use crate::pool::Pool;
use crate::response::budget::ResponseBudget;
use snapshot::Current;

pub struct AppState {
    /// The configuration from the environment. It applies until the database settings have been loaded.
    pub config: Config,
    pub pool: Pool,
    pub admission: Admission,
    pub current: Current,
    pub authenticator: Authenticator,
    pub responses: ResponseBudget,
    reloader: AbortHandle,
}

impl AppState {
    /// Loads the first snapshot in the background. Must be called inside a runtime, because it spawns that task.
    ///
    /// # Errors
    /// When the settings are invalid.
    pub fn new(config: Config, clock: Clock) -> anyhow::Result<Self> {
        let authenticator = Authenticator::new(&config, clock.clone())?;
        let pool = Pool::new(&config.database);
        let admission = Admission::new(Limits::of(&config));
        let responses = ResponseBudget::new(config.load.response_budget);
        let (sender, current) = watch::channel(None);
        let reloader = tokio::spawn(reload::keep_current(config.clone(), clock, sender)).abort_handle();
        Ok(Self { config, pool, admission, current, authenticator, responses, reloader })
    }

    /// Stops reloading and closes the connection pool. Later requests fail.
    pub fn stop(&self) {
        self.reloader.abort();
        self.pool.close();
    }
}

impl Drop for AppState {
    fn drop(&mut self) {
        self.reloader.abort();
    }
}
