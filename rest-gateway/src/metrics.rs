//! Counters and gauges for operators, under PostgREST's names where it has them.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, gauge, histogram};
use platform::measure::{self, InFlight, SlowLog};
use quick_cache::sync::Cache;

/// More combinations of method, route and status than occur.
const MAX_COUNTERS: usize = 1000;

/// Keeps the handles of counters and gauges, so that requests need no lookup.
pub struct Metrics {
    schema_cache_loads: Counter,
    pub schema_cache_failures: Counter,
    schema_cache_query_time: Gauge,
    pub pool_timeouts: Counter,
    pool_available: Gauge,
    pool_waiting: Gauge,
    pool_size: usize,
    pub jwt_cache_requests: Counter,
    pub jwt_cache_hits: Counter,
    pub jwt_cache_evictions: Counter,
    pub in_flight: InFlight,
    slow: SlowLog,
    requests: Cache<(&'static str, Route, StatusCode), (Counter, Histogram)>,
}

const SERVICE: &str = "gateway";

/// The class of a request, because the names of tables and functions would be too many label values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    Root,
    Read,
    Write,
    Call,
    Other,
}

impl Route {
    pub fn classify(method: &Method, path: &str) -> Self {
        match method.as_str() {
            _ if path.starts_with("/rpc/") => Self::Call,
            _ if matches!(path, "" | "/") => Self::Root,
            "GET" | "HEAD" => Self::Read,
            "POST" | "PATCH" | "PUT" | "DELETE" => Self::Write,
            _ => Self::Other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Read => "read",
            Self::Write => "write",
            Self::Call => "rpc",
            Self::Other => "other",
        }
    }
}

impl Metrics {
    /// The recorder must have been installed.
    pub fn new(pool_size: usize) -> Self {
        let loads = "pgrst_schema_cache_loads_total";
        describe_counter!(loads, "The total number of times the schema cache was loaded");
        describe_gauge!(
            "pgrst_schema_cache_query_time_seconds",
            "The query time in seconds of the last schema cache load"
        );
        describe_counter!("pgrst_db_pool_timeouts_total", "The total number of pool connection timeouts");
        describe_gauge!("pgrst_db_pool_available", "Available connections in the pool");
        describe_gauge!("pgrst_db_pool_waiting", "Requests waiting to acquire a pool connection");
        describe_gauge!("pgrst_db_pool_max", "Max pool connections");
        describe_counter!("pgrst_jwt_cache_requests_total", "The total number of JWT cache lookups");
        describe_counter!("pgrst_jwt_cache_hits_total", "The total number of JWT cache hits");
        describe_counter!("pgrst_jwt_cache_evictions_total", "The total number of JWT cache evictions");
        describe_counter!("gateway_plan_cache_requests_total", "Reads whose plan may be cached");
        describe_counter!("gateway_plan_cache_hits_total", "Reads whose plan was cached");
        gauge!("pgrst_db_pool_max").set(pool_size as f64);
        Self {
            schema_cache_loads: counter!(loads, "status" => "SUCCESS"),
            schema_cache_failures: counter!(loads, "status" => "FAIL"),
            schema_cache_query_time: gauge!("pgrst_schema_cache_query_time_seconds"),
            pool_timeouts: counter!("pgrst_db_pool_timeouts_total"),
            pool_available: gauge!("pgrst_db_pool_available"),
            pool_waiting: gauge!("pgrst_db_pool_waiting"),
            pool_size,
            jwt_cache_requests: counter!("pgrst_jwt_cache_requests_total"),
            jwt_cache_hits: counter!("pgrst_jwt_cache_hits_total"),
            jwt_cache_evictions: counter!("pgrst_jwt_cache_evictions_total"),
            in_flight: InFlight::of(SERVICE),
            slow: SlowLog::of(SERVICE),
            requests: Cache::new(MAX_COUNTERS),
        }
    }

    pub fn schema_cache_loaded(&self, took: Duration) {
        self.schema_cache_loads.increment(1);
        self.schema_cache_query_time.set(took.as_secs_f64());
    }

    /// An admitted request counts as a used connection.
    pub fn set_pool_use(&self, running: usize, waiting: usize) {
        self.pool_available.set(self.pool_size.saturating_sub(running) as f64);
        self.pool_waiting.set(waiting as f64);
    }

    pub fn answered(&self, method: &'static str, route: Route, status: StatusCode, took: Duration) {
        self.slow.answered(method, route.name(), status, took);
        let Ok((count, duration)) = self.requests.get_or_insert_with(&(method, route, status), || {
            let (route, status) = (route.name(), status.as_str().to_owned());
            let duration = histogram!(measure::DURATION, "service" => SERVICE, "route" => route);
            let count = counter!(
                measure::REQUESTS,
                "service" => SERVICE, "method" => method, "route" => route, "status" => status
            );
            Ok::<_, Infallible>((count, duration))
        });
        count.increment(1);
        duration.record(took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_classified_without_names() {
        for (method, path, route) in [
            (Method::GET, "/", Route::Root),
            (Method::GET, "/items", Route::Read),
            (Method::HEAD, "/items", Route::Read),
            (Method::PATCH, "/items", Route::Write),
            (Method::GET, "/rpc/add", Route::Call),
            (Method::OPTIONS, "/items", Route::Other),
        ] {
            assert_eq!(Route::classify(&method, path), route, "{method} {path}");
        }
    }
}
