//! Admits a request and runs it within its timeout.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::admission::{Client, Weight};
use crate::auth::Caller;
use crate::deadline;
use crate::error::Error;
use crate::execute::{self, Check, Job, Outcome};
use crate::plan::Plan;
use crate::pool::error::DatabaseError;
use crate::request::Http;
use crate::state::AppState;
use crate::state::snapshot::Snapshot;

pub struct Turn {
    client: Client,
    weight: Weight,
    timeout: Option<Duration>,
}

impl Turn {
    pub fn new(
        plan: &Plan<'_>,
        weight: Weight,
        http: Http<'_>,
        caller: &Caller,
        snapshot: &Snapshot,
    ) -> Self {
        Self {
            client: Client::of(caller, http.client_address),
            weight,
            timeout: deadline::of(plan, caller, snapshot),
        }
    }

    /// Waits for the client's turn and runs the job. The timeout covers both.
    pub async fn run(self, state: &AppState, job: &Job, check: Option<Check<'_>>) -> Result<Outcome, Error> {
        let began = Instant::now();
        let outage = &state.pool.outage;
        if outage.is_known() {
            return Err(DatabaseError::unavailable().into());
        }
        let permit = Arc::new(state.admission.admit(self.client, self.weight).await?);
        let work = execute::run_with(&state.pool, job, check, Some(permit));
        Ok(deadline::keep(work, outage, began, self.timeout, job.reads_only).await?)
    }
}
