//! `GET /.well-known/jwks.json`: the public halves of the keys that sign, and a shared secret has none.
//! Clients that find no key here ask `GET /user` instead.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::service::Shared;

pub async fn get(State(service): State<Shared>) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "public, max-age=600")], Json(service.config.jwt.public_keys()))
}
