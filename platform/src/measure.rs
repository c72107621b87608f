//! Counts and times a service's requests for operators, and logs slow ones. Labels have few values: routes are templates,
//! never paths.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use metrics::{Gauge, counter, gauge, histogram};

use crate::http::request_id;
use crate::log_limit::LogLimit;
pub use crate::method_name::method_name;

pub const REQUESTS: &str = "http_requests_total";
pub const DURATION: &str = "http_request_duration_seconds";
pub const IN_FLIGHT: &str = "http_requests_in_flight";

/// The route of requests that no route matches.
const NO_ROUTE: &str = "other";

/// Requests that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

#[derive(Clone)]
struct Service {
    name: &'static str,
    prefix: &'static str,
    in_flight: InFlight,
    slow: Arc<SlowLog>,
}

/// Counts every request of the router. `prefix` is where the launcher nests the service; the label `route` leaves it out.
pub fn measured(name: &'static str, prefix: &'static str, router: Router) -> Router {
    let (in_flight, slow) = (InFlight::of(name), Arc::new(SlowLog::of(name)));
    router.layer(from_fn_with_state(Service { name, prefix, in_flight, slow }, measure))
}

async fn measure(State(service): State<Service>, request: Request, next: Next) -> Response {
    let method = method_name(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str);
    let route = route.strip_prefix(service.prefix).unwrap_or(route).to_owned();
    let (began, running) = (Instant::now(), service.in_flight.enter());
    let response = next.run(request).await;
    drop(running);
    let (took, status) = (began.elapsed(), response.status());
    service.slow.answered(method, &route, status, took);
    let labels = [("service", service.name.to_owned()), ("route", route.clone())];
    histogram!(DURATION, &labels).record(took);
    let labels = [
        ("service", service.name.to_owned()),
        ("method", method.to_owned()),
        ("route", route),
        ("status", status.as_str().to_owned()),
    ];
    counter!(REQUESTS, &labels).increment(1);
    response
}

/// The requests that a service is currently answering.
#[derive(Clone)]
pub struct InFlight(Gauge);

impl InFlight {
    pub fn of(service: &'static str) -> Self {
        Self(gauge!(IN_FLIGHT, "service" => service))
    }

    pub fn enter(&self) -> Running<'_> {
        self.0.increment(1);
        Running(&self.0)
    }
}

/// Counted until it is dropped.
pub struct Running<'a>(&'a Gauge);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

/// Logs the slow requests of a service. Clients can make any number of them, so the lines are limited.
pub struct SlowLog {
    service: &'static str,
    lines: LogLimit,
}

impl SlowLog {
    pub fn of(service: &'static str) -> Self {
        Self { service, lines: LogLimit::default() }
    }

    /// Logs a request that took longer than the configured time, and names its span.
    pub fn answered(&self, method: &str, route: &str, status: StatusCode, took: Duration) {
        if let Some(span) = request_id::span() {
            span.matched(self.service, route);
        }
        if !self.wants(took) {
            return;
        }
        let (status, took) = (status.as_u16(), milliseconds(took));
        let (id, database) = (request_id::current(), milliseconds(request_id::database_time()));
        tracing::warn!(
            request_id = id.as_deref(),
            service = self.service,
            method,
            route,
            status,
            milliseconds = took,
            database_milliseconds = database,
            "slow request"
        );
    }

    fn wants(&self, took: Duration) -> bool {
        took >= SLOW && self.lines.allows(None)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_requests_are_logged_a_limited_number_of_times() {
        let log = SlowLog::of("auth");
        assert!(!log.wants(SLOW - Duration::from_millis(1)) && log.wants(SLOW));
        assert_eq!((0..100).filter(|_| log.wants(SLOW)).count(), 19);
    }
}
