//! Complete responses of small objects, by the path and query of their requests. Only one canonical form of
//! each path and query is cached. Otherwise a client could fill the memory with copies of one object.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, Method, Request, StatusCode, Uri, header};
use axum::response::Response;
use metrics::{Counter, Histogram, counter, histogram};
use platform::measure::{DURATION, REQUESTS};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::{Found, Memory, items, key_of};

/// Longer bodies are read from the blob store each time.
pub(crate) const MAX_BODY_BYTES: u64 = 256 * 1024;
/// Bytes of a response without its body.
const HEAD_BYTES: u64 = 3 * 1024;
/// An estimate, from which the cache sizes its tables.
const USUAL_RESPONSE: u64 = 32 * 1024;
/// If a request has one of these headers, the response depends on more than path and query.
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

/// A response, and the row that it was made from. It is sent only while that row is in memory.
struct Ready {
    headers: HeaderMap,
    body: Bytes,
    found: Arc<Found>,
    row_key: String,
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

/// An extension that marks responses that may be sent again while the row is unchanged.
#[derive(Clone)]
pub(crate) struct Kept {
    pub found: Arc<Found>,
    pub body: Bytes,
    pub route: Route,
    pub address: Address,
}

/// The path and query of a request whose response depends on nothing else.
#[derive(Debug, Clone)]
pub(crate) struct Address(Box<str>);

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
    /// The response to a request, if it is cached and still valid. Counts the request, because it bypasses
    /// the router's layers.
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
        let current = memory.rows.get(&*ready.row_key)?;
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

    /// The cache key of the response to a GET request. `None` if it must not be cached: while this replica
    /// has no lease, for a row that is not cached, with headers that change the response, and for any path or
    /// query that Supabase's client would write differently.
    pub(crate) fn address(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        found: &Arc<Found>,
        query: &str,
    ) -> Option<Address> {
        let memory = &*self.0;
        if !memory.is_on
            || method != Method::GET
            || !is_plain(headers)
            || !memory.lease.is_held(Instant::now())
        {
            return None;
        }
        let key = key_of(&found.bucket_id, &found.name)?;
        let is_remembered = memory.rows.get(&*key).is_some_and(|row| Arc::ptr_eq(&row, found));
        let is_usual = is_usual(uri, &key, query);
        (is_remembered && is_usual)
            .then(|| Address(uri.path_and_query().map_or("", |path| path.as_str()).into()))
    }

    /// Caches a response of the router, including everything that its layers have added.
    pub fn keep(&self, response: &mut Response) {
        let Some(Kept { found, body, route, address }) = response.extensions_mut().remove::<Kept>() else {
            return;
        };
        let Some(row_key) = key_of(&found.bucket_id, &found.name) else { return };
        if response.status() == StatusCode::OK {
            let ready = Ready { headers: response.headers().clone(), body, found, row_key, route };
            self.0.responses.cache.insert(address.0, Arc::new(ready));
        }
    }
}

fn is_plain(headers: &HeaderMap) -> bool {
    !CONDITIONS.iter().any(|name| headers.contains_key(name))
}

/// Whether an address names the key and the query as JavaScript's `encodeURI` does. Of the characters in keys, it encodes only
/// the space.
fn is_usual(uri: &Uri, key: &str, query: &str) -> bool {
    let path = uri.path().replace("%20", " ");
    let is_key = path.strip_suffix(key).is_some_and(|prefix| prefix.ends_with('/'));
    is_key && uri.query() == (!query.is_empty()).then_some(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_one_usual_address() {
        let is_usual =
            |address: &str, query| is_usual(&address.parse().unwrap(), "images/a b/c@d.png", query);
        assert!(is_usual("/storage/v1/object/public/images/a%20b/c@d.png", ""));
        assert!(is_usual("/render/image/public/images/a%20b/c@d.png?width=1", "width=1"));
        for other in ["a%20b/c%40d.png", "%61%20b/c@d.png", "a%20b/c@d.png?", "a%20b/c@d.png?x", "b/c@d.png"]
        {
            assert!(!is_usual(&format!("/object/public/images/{other}"), ""), "{other}");
        }
        for query in ["width=01", "width=1&", "width=1&x", "", "WIDTH=1"] {
            let address = format!("/render/image/public/images/a%20b/c@d.png?{query}");
            assert!(!is_usual(&address, "width=1"), "{query}");
        }
    }
}
