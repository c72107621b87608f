//! `GET /.well-known/jwks.json`: the public keys of the signing keys. Empty with a shared secret; clients
//! that find no key fall back to `GET /user`.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::service::Shared;

pub async fn get(State(service): State<Shared>) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "public, max-age=600")], Json(service.config.jwt.public_keys()))
}
