//! `GET /.well-known/jwks.json`: public keys only, and a shared secret has none. Clients that find no
//! key here ask `GET /user` instead.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::json;

pub async fn get() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "public, max-age=600")], Json(json!({ "keys": [] })))
}
