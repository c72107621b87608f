//! The state that the steps of a request share, and running its statements after admission and within a time
//! limit.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::admission::{Estimate, Source};
use crate::auth::Caller;
use crate::config::server::LogLevel;
use crate::deadline;
use crate::error::Error;
use crate::execute::{self, Check, Job, Outcome, Session};
use crate::plan::Plan;
use crate::pool::error::DatabaseError;
use crate::position::Position;
use crate::query::fragment::Sql;
use crate::query::transaction;
use crate::replicas::{self, Replica};
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
    pub fn session(&self) -> Session {
        let Snapshot { config, generation, .. } = self.snapshot;
        Session {
            role: Arc::clone(&self.caller.role),
            authenticated: self.caller.authenticated,
            reports_position: self.state.replicas.is_some(),
            collects_warnings: config.database.returns_warnings,
            logs_connections: config.server.log_level == LogLevel::Debug,
            schema_generation: *generation,
        }
    }

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
        cost: Estimate,
        job: &Job,
        check: Option<Check<'_>>,
    ) -> Result<Outcome, Error> {
        let began = Instant::now();
        let limit = deadline::time_limit(plan, self.caller, self.snapshot);
        let source = Source::new(self.caller, self.http.client_address);
        let Some(replicas) = &self.state.replicas else {
            return self.run_on_primary(source, cost, job, check, (began, limit)).await;
        };
        let reader = replicas::reader(self.caller, self.http.client_address);
        if job.transaction.reads_only && job.may_use_replica {
            let needed = replicas.needed_by(reader, self.http.headers);
            if let Some(replica) = replicas.choose(self.caller, reader, needed) {
                // Boxed, so that gateways without replicas have small futures.
                let reading = run_on_replica(replica, source.clone(), cost, job, (began, limit), needed);
                if let Some(answer) = Box::pin(reading).await {
                    if let Some(position) = answer.as_ref().ok().and_then(|outcome| outcome.position) {
                        replicas.saw(reader, Some(position));
                    }
                    replicas.count(true);
                    return answer;
                }
                replicas.count_moved();
            }
        }
        let ran = self.run_on_primary(source, cost, job, check, (began, limit)).await;
        if job.transaction.reads_only {
            replicas.count(false);
        }
        match &ran {
            Ok(outcome) if outcome.position.is_some() || !job.transaction.reads_only => {
                replicas.saw(reader, outcome.position);
            }
            Err(Error::Database(error)) if !job.transaction.reads_only && error.may_have_committed() => {
                replicas.saw(reader, None);
            }
            // Nothing was read or committed.
            _ => {}
        }
        ran
    }

    async fn run_on_primary(
        &self,
        source: Source,
        cost: Estimate,
        job: &Job,
        check: Option<Check<'_>>,
        (began, limit): (Instant, Option<Duration>),
    ) -> Result<Outcome, Error> {
        let Self { state, .. } = self;
        let outage = &state.pool.outage;
        if outage.is_known() {
            return Err(DatabaseError::unavailable().into());
        }
        let permit = Arc::new(state.admission.admit(source, cost).await?);
        let work = pin!(execute::run(&state.pool, job, check, Some(permit)));
        Ok(deadline::enforce(work, outage, began, limit, job.transaction.reads_only).await?)
    }
}

/// Returns `None` if the replica can't answer and the primary may.
async fn run_on_replica(
    replica: &Replica,
    source: Source,
    cost: Estimate,
    job: &Job,
    (began, limit): (Instant, Option<Duration>),
    needed: Option<Position>,
) -> Option<Result<Outcome, Error>> {
    let reading = async {
        let permit = match replica.admission.admit(source, cost).await {
            Ok(permit) => Arc::new(permit),
            Err(error) => return Some(Err(error.into())),
        };
        let work = execute::run(&replica.pool, job, None, Some(permit));
        let read = deadline::enforce(work, &replica.pool.outage, began, limit, true).await;
        if let Some(position) = read.as_ref().ok().and_then(|outcome| outcome.position) {
            replica.has_replayed(position);
        }
        match read {
            Err(error) if replicas::is_of_replica(&error) => None,
            // The client has seen newer data.
            Ok(outcome) if outcome.position_before < needed => None,
            answer => Some(answer.map_err(Error::from)),
        }
    };
    tokio::select! {
        biased;
        answer = reading => answer,
        // The replica is frozen, behind or down, so its answer may never come.
        () = replica.left_out() => None,
    }
}
