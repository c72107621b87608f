//! `/dev/mail`: shows captured e-mail to users of this machine. These e-mails give access to accounts, so
//! requests from other machines, through proxies, or from pages of other host names that resolve here get a
//! 404.

use std::net::{IpAddr, SocketAddr};

use askama::Template;
use axum::extract::{ConnectInfo, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use uuid::Uuid;

use super::captured::{Captured, CapturedMail};

const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; \
     frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// Allows displaying the e-mail in a frame and opening its links in a new tab.
const MAIL_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; \
     form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];
/// These headers mean that the request came through a proxy.
const PROXY_HEADERS: [HeaderName; 4] = [
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-real-ip"),
];

#[derive(Template)]
#[template(path = "dev_mails.html")]
struct List {
    mails: Vec<CapturedMail>,
}

#[derive(Template)]
#[template(path = "dev_mail.html")]
struct One {
    mail: CapturedMail,
}

#[derive(Deserialize)]
struct Wanted {
    format: Option<String>,
}

pub fn router(captured: Captured) -> Router {
    Router::new()
        .route("/dev/mail", get(list))
        .route("/dev/mail/{id}", get(one))
        .route("/dev/mail/{id}/html", get(html))
        .route("/dev/mail/{id}/source", get(source))
        // Only for these routes: the router is merged with others.
        .route_layer(middleware::from_fn(local_only))
        .with_state(captured)
}

async fn list(
    State(captured): State<Captured>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Response {
    if wants_json(&wanted, &headers) {
        return Json(captured.all()).into_response();
    }
    page(&List { mails: captured.all() })
}

async fn one(
    State(captured): State<Captured>,
    Path(id): Path<Uuid>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Response {
    match captured.find(id) {
        Some(mail) if wants_json(&wanted, &headers) => Json(mail).into_response(),
        Some(mail) => page(&One { mail }),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn html(State(captured): State<Captured>, Path(id): Path<Uuid>) -> Response {
    let Some(mail) = captured.find(id) else { return StatusCode::NOT_FOUND.into_response() };
    ([(header::CONTENT_SECURITY_POLICY, MAIL_POLICY)], Html(mail.html)).into_response()
}

async fn source(State(captured): State<Captured>, Path(id): Path<Uuid>) -> Response {
    captured
        .find(id)
        .map_or_else(|| StatusCode::NOT_FOUND.into_response(), |mail| mail.source.into_response())
}

fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => ([(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "can't render a page of captured e-mail");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn wants_json(wanted: &Wanted, headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    wanted.format.as_deref() == Some("json") || accepted.starts_with("application/json")
}

async fn local_only(ConnectInfo(peer): ConnectInfo<SocketAddr>, request: Request, next: Next) -> Response {
    let is_local = peer.ip().to_canonical().is_loopback()
        && !PROXY_HEADERS.iter().any(|name| request.headers().contains_key(name))
        && request.headers().get_all(header::HOST).iter().all(names_localhost);
    if !is_local {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Prevents DNS rebinding: a page elsewhere can make its own name resolve to 127.0.0.1, but can't change the
/// Host header.
fn names_localhost(host: &HeaderValue) -> bool {
    let Ok(authority) = host.to_str().map(str::parse::<axum::http::uri::Authority>) else { return false };
    let Ok(authority) = authority else { return false };
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
