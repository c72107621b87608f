//! Handles a request: authenticates the caller, plans the request, runs its statements and builds the response.

use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::http::{Extensions, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use platform::http::body::{self, BodyError};
use platform::http::origin;

use crate::compiled::Compiled;
use crate::config::Config;
use crate::context::RequestContext;
use crate::error::Error;
use crate::error_body::{ErrorBody, Rejection};
use crate::execute::{Job, Outcome, Transaction};
use crate::media::MediaType;
use crate::plan::Plan;
use crate::position;
use crate::query::transaction;
use crate::request::preferences::TransactionEnd;
use crate::request::shape::{Shape, ValueKind};
use crate::request::{Http, Request};
use crate::response::timing::Timing;
use crate::state::AppState;
use crate::state::snapshot::Snapshot;
use crate::{inspect, query_key, request_log, response, row_checks};

/// The gateway rejects larger bodies.
const MAX_BODY: usize = 1024 * 1024;

/// # Errors
/// The error of the first stage that fails.
pub async fn handle(
    state: &AppState,
    snapshot: &Snapshot,
    http: HttpRequest,
    timing: &mut Timing,
) -> Result<Response, Error> {
    let caller = &snapshot.authenticator.caller(http.headers())?;
    request_log::role(&caller.role);
    let schema = snapshot.schema.as_ref().ok_or(Error::NoSchemaCache)?;
    timing.ended();
    let config = &snapshot.config;
    let (mut parts, body) = http.into_parts();
    if let Some(uri) = query_key::without(&parts.uri, |value| snapshot.authenticator.is_key(value)) {
        parts.uri = uri;
    }
    let http = Http {
        headers: &parts.headers,
        query: parts.uri.query().unwrap_or_default(),
        client_address: origin::of(&parts.extensions, &parts.headers, &config.load.trusted_proxies),
    };
    let context = RequestContext { state, snapshot, schema, http, caller };
    if let Some(shape) = Shape::split(&parts.method, &parts.uri, &parts.headers) {
        let parts = (&parts.method, parts.uri.path(), &parts.headers);
        if let Some(compiled) = schema.reads.get(&shape, parts, config, &schema.cache) {
            compiled.check_patterns(&shape.values)?;
            timing.ended();
            timing.ended();
            return respond(context, &compiled, &shape.values, timing).await;
        }
    }
    let body = read_body(&parts.extensions, body).await?;
    let request = Request::parse(config, &parts.method, &parts.uri, &parts.headers, body)?;
    timing.ended();
    let compiled = Compiled::new(request, config, &schema.cache)?;
    timing.ended();
    respond(context, &compiled, &[], timing).await
}

async fn read_body(extensions: &Extensions, body: Body) -> Result<Bytes, Rejection> {
    let (status, message) = match body::read(extensions, body, MAX_BODY).await {
        Ok(body) => return Ok(body),
        Err(BodyError::TooLarge) => (StatusCode::PAYLOAD_TOO_LARGE, "The request body is too large"),
        Err(BodyError::Timeout) => (StatusCode::REQUEST_TIMEOUT, "The request body did not arrive in time"),
        Err(BodyError::OutOfMemory) => {
            (StatusCode::SERVICE_UNAVAILABLE, "Too many request bodies are being received, try again")
        }
        Err(BodyError::Broken(error)) => {
            return Err(ErrorBody::bad_request("PGRST102", error.to_string()));
        }
    };
    Err(ErrorBody::new(status, "PGRST102", message))
}

async fn respond(
    context: RequestContext<'_>,
    compiled: &Compiled<'_>,
    values: &[(ValueKind, String)],
    timing: &mut Timing,
) -> Result<Response, Error> {
    let Compiled { plan, request, .. } = compiled;
    let RequestContext { state, snapshot, http, .. } = context;
    let response = match plan {
        Plan::Info { .. } => {
            timing.ended();
            response::build(plan, request, http.query, Outcome::default(), &snapshot.config)?
        }
        Plan::Inspect => {
            let described = inspect::describe(context, request).await?;
            timing.ended();
            described
        }
        _ => {
            let mut outcome = execute(context, compiled, values).await?;
            timing.ended();
            let position = outcome.position;
            // A committed write can't be refused any more.
            match state.responses.charge(outcome.body.clone()) {
                Some(charged) => outcome.body = charged,
                None if transaction::is_read_only(plan, request) => return Err(Error::Busy),
                None => (),
            }
            let mut response = response::build(plan, request, http.query, outcome, &snapshot.config)?;
            if let Some(position) = position.filter(|position| !position::is_known(http.headers, *position)) {
                position::announce(response.headers_mut(), position);
            }
            response
        }
    };
    timing.ended();
    Ok(response)
}

async fn execute(
    context: RequestContext<'_>,
    compiled: &Compiled<'_>,
    values: &[(ValueKind, String)],
) -> Result<Outcome, Error> {
    let Compiled { plan, request, cost, needs_custom_plan, .. } = compiled;
    let RequestContext { snapshot, schema, caller, .. } = context;
    let config = &snapshot.config;
    let rolls_back = rolls_back(config, request);
    let reads_only = transaction::is_read_only(plan, request);
    let begin = transaction::begin(plan, request, caller, &schema.roles);
    let job = Job {
        session: context.session(),
        transaction: Transaction {
            begin: begin.or_else(|| rolls_back.then(|| transaction::BEGIN_READ_ONLY.to_owned())),
            settings: context.settings(plan, request, *needs_custom_plan),
            pre_request: transaction::pre_request(config),
            rolls_back,
            reads_only,
        },
        statement: compiled.statement.bind(values),
        estimate: compiled.estimate.as_ref().map(|estimate| estimate.bind(values)),
        explains: matches!(plan.media(), Some(MediaType::Plan(_))),
        may_use_replica: transaction::may_use_replica(plan, request),
    };
    if config.server.log_query {
        request_log::statements(&job);
    }
    let check = |outcome: &Outcome| row_checks::check(plan, request, outcome);
    if job.explains || !row_checks::apply(plan, request) {
        return context.run(plan, *cost, &job, None).await;
    }
    if reads_only {
        // A read has nothing to roll back, so the check can run after the transaction.
        let outcome = context.run(plan, *cost, &job, None).await?;
        check(&outcome)?;
        return Ok(outcome);
    }
    context.run(plan, *cost, &job, Some(&check)).await
}

fn rolls_back(config: &Config, request: &Request) -> bool {
    match request.preferences.transaction {
        Some(TransactionEnd::Commit) => false,
        Some(TransactionEnd::Rollback) => true,
        None => config.database.tx_end.rolls_back,
    }
}
