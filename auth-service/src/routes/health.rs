//! `GET /health`

use axum::Json;
use serde_json::{Value, json};

pub async fn get() -> Json<Value> {
    // Clients recognize the API by this name.
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": "GoTrue",
        "description": "Serasi's accounts and sessions",
    }))
}
