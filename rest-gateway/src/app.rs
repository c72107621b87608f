//! Starts the gateway, serves requests and stops it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request as HttpRequest, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use platform::clock::Clock;
use platform::http::body::{self, BodyError};
use platform::http::request_id::RequestId;
use platform::http::{origin, panics};

use crate::auth::Caller;
use crate::compiled::Compiled;
use crate::config::Config;
use crate::error::Error;
use crate::execute::error::CheckError;
use crate::execute::{Job, Outcome};
use crate::media::MediaType;
use crate::metrics::Route;
use crate::plan::Plan;
use crate::pool::error::DatabaseError;
use crate::query::transaction;
use crate::request::error::RequestError;
use crate::request::shape::{Shape, Value};
use crate::request::{Action, Http, Request};
use crate::request_log::{self, LineWriter};
use crate::response::budget::Exhausted;
use crate::response::cors::Cors;
use crate::response::timing::Timing;
use crate::state::AppState;
use crate::state::health::Health;
use crate::state::snapshot::Snapshot;
use crate::state::wanted::Wanted;
use crate::turn::Turn;
use crate::{admin, inspect, response};

/// The gateway rejects larger bodies.
const MAX_BODY: usize = 1024 * 1024;

/// A running gateway. Clones share the same instance.
#[derive(Clone)]
pub struct Gateway(Arc<AppState>);

/// Loads the schema cache in the background and returns immediately. Requests get 503 until it is loaded.
///
/// # Errors
/// When the settings are invalid. An unreachable database is not an error: the gateway keeps retrying.
pub async fn start(config: Config) -> anyhow::Result<Gateway> {
    start_at(config, Clock::system()).await
}

/// [`start`] with a custom clock, which tests use to control token expiry.
///
/// # Errors
/// See [`start`].
#[expect(clippy::unused_async, reason = "it spawns tasks, so it must run inside a runtime")]
pub async fn start_at(config: Config, clock: Clock) -> anyhow::Result<Gateway> {
    Ok(Gateway(Arc::new(AppState::new(config, clock)?)))
}

impl Gateway {
    /// `/`, `/{table}` and `/rpc/{function}`.
    pub fn router(&self) -> Router {
        Router::new().fallback(answer).with_state(self.clone())
    }

    /// The router with an access log, for a standalone gateway. Each line goes to `log`.
    pub fn logged_router(&self, log: LineWriter) -> Router {
        request_log::logged(self.router(), Arc::clone(&self.0), log)
    }

    /// `/live`, `/ready` and `/schema_cache`.
    pub fn admin_router(&self) -> Router {
        admin::router(Arc::clone(&self.0))
    }

    /// Brings the gauges of the connection pool up to date for each scrape of this router.
    pub fn with_pool_metrics(&self, metrics: Router) -> Router {
        admin::with_pool_metrics(metrics, Arc::clone(&self.0))
    }

    /// Health that the process which embeds the gateway can add to.
    pub fn health(&self) -> &Health {
        &self.0.health
    }

    /// Reloads the schema cache, as `notify pgrst, 'reload schema'` does.
    pub fn reload_schema(&self) {
        self.0.reloads.add(Wanted::SCHEMA);
    }

    /// Reloads the configuration, as `notify pgrst, 'reload config'` does.
    pub fn reload_config(&self) {
        self.0.reloads.add(Wanted::CONFIG);
    }

    /// Waits until the schema cache is loaded.
    pub async fn loaded(&self) {
        let mut current = self.0.current.clone();
        let _ = current.wait_for(Option::is_some).await;
    }

    /// Closes the connection pool. Later requests fail.
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// Clients detect the supported features by this header.
const SERVER: &str = "postgrest/16";

async fn answer(State(gateway): State<Gateway>, request: HttpRequest) -> Response {
    gateway.answer(request).await
}

impl Gateway {
    /// Answers one request, as the router does.
    pub async fn answer(&self, request: HttpRequest) -> Response {
        let snapshot = self.0.current.borrow().clone();
        let effective_config = snapshot.as_ref().map_or(&self.0.config, |snapshot| &snapshot.config);
        let config = &effective_config.server;
        let cors = Cors::of(request.headers(), config.cors_origins.as_deref());
        if let Some(preflight) =
            cors.as_ref().and_then(|cors| cors.preflight(request.method(), request.headers()))
        {
            return preflight;
        }
        let trace = config
            .trace_header
            .as_deref()
            .map(|name| (name.to_owned(), request.headers().get(name).cloned()));
        let is_personal = request.headers().contains_key(header::AUTHORIZATION);
        let route = Route::of(request.method(), request.uri().path());
        let id = request.extensions().get::<RequestId>().cloned();
        let mut timing = Timing::start();
        let served = panics::caught(id, self.serve(snapshot.as_deref(), request, &mut timing)).await;
        let mut response = match served.unwrap_or(Err(Error::Panicked)) {
            Ok(mut response) => {
                if config.timing {
                    timing.add(response.headers_mut());
                }
                response
            }
            Err(error) => {
                error.log();
                if matches!(error, Error::Database(DatabaseError::PoolTimeout)) {
                    self.0.metrics.pool_timeout();
                }
                error.response(effective_config.error_verbosity)
            }
        };
        self.0.metrics.answered(route, response.status());
        if is_personal {
            mark_as_private(response.headers_mut());
        }
        response.headers_mut().entry(header::SERVER).or_insert(HeaderValue::from_static(SERVER));
        if let Some(cors) = cors {
            cors.add(response.headers_mut());
        }
        if let Some((name, value)) = trace
            && let Ok(name) = axum::http::HeaderName::try_from(name)
        {
            response.headers_mut().insert(name, value.unwrap_or(HeaderValue::from_static("")));
        }
        response
    }
}

/// Shared caches must not store responses to authenticated requests.
fn mark_as_private(headers: &mut HeaderMap) {
    headers.append(header::VARY, HeaderValue::from_static("Authorization"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private"));
}

impl Gateway {
    async fn serve(
        &self,
        snapshot: Option<&Snapshot>,
        http: HttpRequest,
        timing: &mut Timing,
    ) -> Result<Response, Error> {
        let authenticator = snapshot.map_or(&self.0.authenticator, |snapshot| &snapshot.authenticator);
        let caller = authenticator.caller(http.headers())?;
        request_log::role(&caller.role);
        timing.ended("jwt");
        let snapshot = snapshot.ok_or(Error::NoSchemaCache)?;
        let config = &snapshot.config;
        let (parts, body) = http.into_parts();
        let http = Http {
            headers: &parts.headers,
            query: parts.uri.query().unwrap_or_default(),
            client_address: origin::of(&parts.extensions, &parts.headers, &config.load.trusted_proxies),
        };
        if let Some(shape) = Shape::of(&parts.method, &parts.uri, &parts.headers) {
            let parts = (&parts.method, parts.uri.path(), &parts.headers);
            if let Some(compiled) = snapshot.reads.get(&shape, parts, config, &snapshot.cache) {
                compiled.check_patterns(&shape.values, config)?;
                timing.ended("parse");
                timing.ended("plan");
                return self.run(&compiled, &shape.values, http, &caller, snapshot, timing).await;
            }
        }
        let body = read_body(&parts.extensions, body).await?;
        let request = Request::parse(config, &parts.method, &parts.uri, &parts.headers, body)?;
        timing.ended("parse");
        let compiled = Compiled::new(request, config, &snapshot.cache)?;
        timing.ended("plan");
        self.run(&compiled, &[], http, &caller, snapshot, timing).await
    }

    async fn run(
        &self,
        compiled: &Compiled<'_>,
        values: &[(Value, String)],
        http: Http<'_>,
        caller: &Caller,
        snapshot: &Snapshot,
        timing: &mut Timing,
    ) -> Result<Response, Error> {
        let Compiled { plan, request, .. } = compiled;
        let config = &snapshot.config;
        let response = match plan {
            Plan::Info { .. } => {
                timing.ended("transaction");
                response::build(plan, request, http.query, Outcome::default(), config)?
            }
            Plan::Inspect => {
                let described = inspect::describe(&self.0, snapshot, request, http, caller).await?;
                timing.ended("transaction");
                described
            }
            _ => {
                let mut outcome = self.execute(compiled, values, http, caller, snapshot).await?;
                timing.ended("transaction");
                // A committed write can't be refused any more.
                match self.0.responses.charge(outcome.body.clone()) {
                    Ok(charged) => outcome.body = charged,
                    Err(Exhausted) if transaction::is_read_only(plan, request) => return Err(Error::Busy),
                    Err(Exhausted) => (),
                }
                response::build(plan, request, http.query, outcome, config)?
            }
        };
        timing.ended("response");
        Ok(response)
    }

    async fn execute(
        &self,
        compiled: &Compiled<'_>,
        values: &[(Value, String)],
        http: Http<'_>,
        caller: &Caller,
        snapshot: &Snapshot,
    ) -> Result<Outcome, Error> {
        let Compiled { plan, request, needs_custom_plan, .. } = compiled;
        let (config, roles) = (&snapshot.config, &snapshot.roles);
        let rolls_back = rolls_back(config, request);
        let reads_only = transaction::is_read_only(plan, request);
        let begin = transaction::begin(plan, request, caller, roles);
        let job = Job {
            role: Arc::clone(&caller.role),
            begin: begin.or_else(|| rolls_back.then(|| transaction::BEGIN_READ_ONLY.to_owned())),
            settings: transaction::settings(plan, request, http, caller, config, roles, *needs_custom_plan),
            pre_request: transaction::pre_request(config),
            statement: compiled.statement.with(values),
            estimate: compiled.estimate.as_ref().map(|estimate| estimate.with(values)),
            explains: matches!(plan.media(), Some(MediaType::Plan(_))),
            rolls_back,
            reads_only,
            authenticated: caller.authenticated,
            schema_generation: snapshot.generation,
        };
        if config.server.log_query {
            request_log::statements(&job);
        }
        let turn = Turn::new(plan, compiled.weight, http, caller, snapshot);
        let check = |outcome: &Outcome| check(plan, request, outcome);
        if job.explains || !is_checked(plan, request) {
            return turn.run(&self.0, &job, None).await;
        }
        if reads_only {
            // A read has nothing to roll back, so the check can run after the transaction.
            let outcome = turn.run(&self.0, &job, None).await?;
            check(&outcome)?;
            return Ok(outcome);
        }
        turn.run(&self.0, &job, Some(&check)).await
    }
}

async fn read_body(extensions: &Extensions, body: axum::body::Body) -> Result<Bytes, RequestError> {
    body::read(extensions, body, MAX_BODY).await.map_err(|error| match error {
        BodyError::TooLarge => RequestError::BodyTooLarge,
        BodyError::Timeout => RequestError::BodyTimeout,
        BodyError::OutOfMemory => RequestError::TooManyBodies,
        BodyError::Broken(error) => RequestError::InvalidBody(error.to_string()),
    })
}

fn rolls_back(config: &Config, request: &Request) -> bool {
    use crate::request::preferences::TransactionEnd;
    match request.preferences.transaction {
        Some(TransactionEnd::Commit) => false,
        Some(TransactionEnd::Rollback) => true,
        None => config.database.tx_end.rolls_back(),
    }
}

fn lacks_filter(plan: &Plan<'_>) -> Option<&'static str> {
    let Plan::Mutate { mutation, .. } = plan else { return None };
    mutation.lacks_filter()
}

/// Whether the row count decides if the request succeeds.
fn is_checked(plan: &Plan<'_>, request: &Request) -> bool {
    matches!(plan.media(), Some(MediaType::Singular { .. }))
        || lacks_filter(plan).is_some()
        || request.action == Action::Upsert
        || request.preferences.is_strict() && request.preferences.max_affected.is_some()
}

fn check(plan: &Plan<'_>, request: &Request, outcome: &Outcome) -> Result<(), CheckError> {
    let rows = outcome.rows;
    if let Some(what) = lacks_filter(plan) {
        return Err(CheckError::MissingFilter(what));
    }
    if request.action == Action::Upsert {
        return if rows == 1 { Ok(()) } else { Err(CheckError::PutMismatch) };
    }
    if matches!(plan.media(), Some(MediaType::Singular { .. })) && rows != 1 {
        return Err(CheckError::NotSingular { rows });
    }
    let limited = matches!(request.action, Action::Update | Action::Delete | Action::Call);
    match request.preferences.max_affected {
        Some(most) if limited && request.preferences.is_strict() && rows > most => {
            Err(CheckError::TooManyAffected { rows })
        }
        _ => Ok(()),
    }
}
