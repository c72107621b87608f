//! The state that the steps of a request share, and running its statements after admission and within a time
//! limit.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::admission::{Admission, Estimate, Source};
use crate::auth::Caller;
use crate::deadline;
use crate::error::Error;
use crate::execute::{self, Check, Job, Outcome, Session};
use crate::plan::Plan;
use crate::pool::Pool;
use crate::pool::error::DatabaseError;
use crate::position::Position;
use crate::query::fragment::Sql;
use crate::query::transaction;
use crate::replicas::{self, Replica};
use crate::request::{Http, Request};
use crate::state::AppState;
use crate::state::snapshot::{Schema, Snapshot};

#[derive(Clone, Copy)]
pub struct RequestContext<'a> {
    pub state: &'a AppState,
    pub snapshot: &'a Snapshot,
    pub schema: &'a Schema,
    pub http: Http<'a>,
    pub caller: &'a Caller,
}

impl RequestContext<'_> {
    pub fn session(&self) -> Session {
        let config = &self.snapshot.config;
        Session {
            role: Arc::clone(&self.caller.role),
            authenticated: self.caller.authenticated,
            reports_position: self.state.replicas.is_some(),
            collects_warnings: config.database.returns_warnings,
            schema_generation: self.schema.generation,
        }
    }

    /// The transaction-local settings of the request.
    pub fn settings(&self, plan: &Plan<'_>, request: &Request, needs_custom_plan: bool) -> Sql {
        let (config, roles) = (&self.snapshot.config, &self.schema.roles);
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
        let (roles, default) = (&self.schema.roles, self.snapshot.config.load.request_timeout);
        let limit = deadline::time_limit(plan, self.caller, roles, default);
        let source = Source::new(self.caller, self.http.client_address);
        let work = Work { source, cost, job, check, began: Instant::now(), limit };
        let Self { state, .. } = self;
        let Some(replicas) = &state.replicas else { return work.run(&state.pool, &state.admission).await };
        let reader = replicas::reader(self.caller, self.http.client_address);
        if job.transaction.reads_only && job.may_use_replica {
            let needed = replicas.needed_by(reader, self.http.headers);
            if let Some(replica) = replicas.choose(self.caller, reader, needed) {
                // Boxed, so that gateways without replicas have small futures.
                if let Some(answer) = Box::pin(work.clone().read(replica, needed)).await {
                    if let Some(position) = answer.as_ref().ok().and_then(|outcome| outcome.position) {
                        replicas.saw(reader, Some(position));
                    }
                    replicas.metrics.on_replica.increment(1);
                    return answer;
                }
                replicas.metrics.moved.increment(1);
            }
        }
        let ran = work.run(&state.pool, &state.admission).await;
        if job.transaction.reads_only {
            replicas.metrics.on_primary.increment(1);
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
}

/// A job, and what limits it.
#[derive(Clone)]
struct Work<'a> {
    source: Source,
    cost: Estimate,
    job: &'a Job,
    check: Option<Check<'a>>,
    began: Instant,
    limit: Option<Duration>,
}

impl Work<'_> {
    async fn run(self, pool: &Pool, admission: &Admission) -> Result<Outcome, Error> {
        if pool.outage.is_known() {
            return Err(DatabaseError::unavailable().into());
        }
        let permit = Arc::new(admission.admit(self.source, self.cost).await?);
        let work = pin!(execute::run(pool, self.job, self.check, Some(permit)));
        let reads_only = self.job.transaction.reads_only;
        deadline::enforce(work, &pool.outage, self.began, self.limit, reads_only).await
    }

    /// Returns `None` if the replica can't answer and the primary may.
    async fn read(self, replica: &Replica, needed: Option<Position>) -> Option<Result<Outcome, Error>> {
        let reading = async {
            let read = self.run(&replica.pool, &replica.admission).await;
            if let Some(position) = read.as_ref().ok().and_then(|outcome| outcome.position) {
                replica.has_replayed(position);
            }
            match read {
                Err(error) if replicas::is_of_replica(&error) => None,
                // The client has seen newer data.
                Ok(outcome) if outcome.position_before < needed => None,
                answer => Some(answer),
            }
        };
        tokio::select! {
            biased;
            answer = reading => answer,
            // The replica is frozen, behind or down, so its answer may never come.
            () = replica.left_out() => None,
        }
    }
}
