//! The page of a backend without the marketplace, which says what runs here.

use axum::Router;
use axum::http::{HeaderName, header};
use axum::response::Html;
use axum::routing::get;

const PAGE: &str = include_str!("bare.html");

const HEADERS: [(HeaderName, &str); 2] = [
    (header::CACHE_CONTROL, "no-cache"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    ),
];

pub fn index() -> Router {
    Router::new().route("/", get(async || (HEADERS, Html(PAGE))))
}
