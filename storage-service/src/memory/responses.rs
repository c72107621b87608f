//! Complete responses of small objects, by the path and query of their requests.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, Method, Request, StatusCode, header};
use axum::response::Response;
use metrics::{Counter, Histogram, counter, histogram};
use platform::measure::{DURATION, REQUESTS};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::{Found, Memory, items, key_of};

/// Longer bodies are read from the blob store each time.
pub(crate) const MAX_BODY_BYTES: u64 = 256 * 1024;
/// What a response takes besides its body.
const HEAD_BYTES: u64 = 3 * 1024;
/// Only used to size tables.
const USUAL_RESPONSE: u64 = 32 * 1024;
/// With one of these, the response depends on more than path and query. With an origin, it has other headers.
const CONDITIONS: [HeaderName; 7] = [
    header::RANGE,
    header::IF_NONE_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_RANGE,
    header::ORIGIN,
    header::EXPECT,
    header::UPGRADE,
];

pub(super) struct Responses {
    cache: Cache<Box<str>, Arc<Ready>, Weight>,
    routes: [RouteMetrics; 3],
    render_hits: Counter,
}

/// A response, and the row that it was made from. It is sent only while that row is the remembered one.
struct Ready {
    headers: HeaderMap,
    body: Bytes,
    found: Arc<Found>,
    /// The key of the row.
    key: String,
    route: Route,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    Public,
    Either,
    Render,
}

struct RouteMetrics {
    requests: Counter,
    duration: Histogram,
}

impl RouteMetrics {
    fn new(route: &'static str) -> Self {
        let duration = histogram!(DURATION, "service" => "storage", "route" => route);
        let requests = counter!(REQUESTS, "service" => "storage", "method" => "GET", "route" => route, "status" => "200");
        Self { requests, duration }
    }
}

#[derive(Clone)]
struct Weight;

impl Weighter<Box<str>, Arc<Ready>> for Weight {
    fn weight(&self, path: &Box<str>, ready: &Arc<Ready>) -> u64 {
        HEAD_BYTES + 2 * path.len() as u64 + ready.body.len() as u64
    }
}

/// An extension of responses that may be sent again, as long as the row is the same.
#[derive(Clone)]
pub(crate) struct Kept {
    pub found: Arc<Found>,
    pub body: Bytes,
    pub route: Route,
}

/// The path and query of a request whose response depends on nothing else.
pub struct Plain(Box<str>);

impl Responses {
    pub(super) fn new(bytes: u64) -> Self {
        let cache = Cache::with_weighter(items(bytes, USUAL_RESPONSE), bytes, Weight);
        let routes = [
            "/object/public/{bucket}/{*key}",
            "/object/{bucket}/{*key}",
            "/render/image/public/{bucket}/{*key}",
        ];
        let render_hits = counter!("storage_render_cache_total", "result" => "hit");
        Self { cache, routes: routes.map(RouteMetrics::new), render_hits }
    }

    pub(super) fn clear(&self) {
        self.cache.clear();
    }
}

impl Memory {
    /// The response to a request, if it is in memory and still right. Takes no layer of the router, so it counts the
    /// request by itself.
    pub fn answer<B>(&self, request: &Request<B>) -> Option<Response> {
        let memory = &*self.0;
        if !memory.is_on || request.method() != Method::GET {
            return None;
        }
        let ready = memory.responses.cache.get(request.uri().path_and_query()?.as_str())?;
        let began = Instant::now();
        if !memory.lease.is_held(began) || !is_plain(request.headers()) {
            return None;
        }
        let current = memory.rows.get(&*ready.key)?;
        if !Arc::ptr_eq(&current, &ready.found) {
            return None;
        }
        let mut response = Response::new(Body::from(ready.body.clone()));
        *response.headers_mut() = ready.headers.clone();
        memory.hits.increment(1);
        if ready.route == Route::Render {
            memory.responses.render_hits.increment(1);
        }
        let metrics = &memory.responses.routes[ready.route as usize];
        metrics.requests.increment(1);
        metrics.duration.record(began.elapsed());
        Some(response)
    }

    /// Whether the response to this request may be kept. Ask before the router gets the request.
    pub fn plain<B>(&self, request: &Request<B>) -> Option<Plain> {
        let is_plain = self.0.is_on && request.method() == Method::GET && is_plain(request.headers());
        if !is_plain {
            return None;
        }
        Some(Plain(request.uri().path_and_query()?.as_str().into()))
    }

    /// Keeps a response of the router, with what all layers have added.
    pub fn keep(&self, plain: Option<Plain>, response: &mut Response) {
        let Some(Kept { found, body, route }) = response.extensions_mut().remove::<Kept>() else { return };
        let (Some(plain), Some(key)) = (plain, key_of(&found.bucket_id, &found.name)) else { return };
        if response.status() == StatusCode::OK {
            let ready = Ready { headers: response.headers().clone(), body, found, key, route };
            self.0.responses.cache.insert(plain.0, Arc::new(ready));
        }
    }
}

fn is_plain(headers: &HeaderMap) -> bool {
    !CONDITIONS.iter().any(|name| headers.contains_key(name))
}
