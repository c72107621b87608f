//! What the steps of a request share, and how its statements run: after admission, and within a time limit.

use std::sync::Arc;
use std::time::Instant;

use crate::admission::{Client, Weight};
use crate::auth::Caller;
use crate::deadline;
use crate::error::Error;
use crate::execute::{self, Check, Job, Outcome};
use crate::plan::Plan;
use crate::pool::error::DatabaseError;
use crate::query::fragment::Sql;
use crate::query::transaction;
use crate::request::{Http, Request};
use crate::state::AppState;
use crate::state::snapshot::Snapshot;

#[derive(Clone, Copy)]
pub struct RequestContext<'a> {
    pub state: &'a AppState,
    pub snapshot: &'a Snapshot,
    pub http: Http<'a>,
    pub caller: &'a Caller,
}

impl RequestContext<'_> {
    /// The transaction-local settings of the request.
    pub fn settings(&self, plan: &Plan<'_>, request: &Request, needs_custom_plan: bool) -> Sql {
        let Snapshot { config, roles, .. } = self.snapshot;
        transaction::settings(plan, request, self.http, self.caller, config, roles, needs_custom_plan)
    }

    /// Waits until the client may use a connection, and runs the job. The time limit covers both.
    ///
    /// # Errors
    /// When the request is not admitted, when the job fails or when it takes too long.
    pub async fn run(
        &self,
        plan: &Plan<'_>,
        weight: Weight,
        job: &Job,
        check: Option<Check<'_>>,
    ) -> Result<Outcome, Error> {
        let began = Instant::now();
        let Self { state, snapshot, http, caller } = self;
        let outage = &state.pool.outage;
        if outage.is_known() {
            return Err(DatabaseError::unavailable().into());
        }
        let client = Client::of(caller, http.client_address);
        let permit = Arc::new(state.admission.admit(client, weight).await?);
        let work = execute::run(&state.pool, job, check, Some(permit));
        let limit = deadline::time_limit(plan, caller, snapshot);
        Ok(deadline::enforce(work, outage, began, limit, job.reads_only).await?)
    }
}
