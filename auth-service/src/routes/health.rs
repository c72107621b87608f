//! `GET /health`

use axum::Json;
use serde_json::{Value, json};

pub async fn get() -> Json<Value> {
    // Clients recognize the API by this name.
    Json(json!({
        "version": platform::version::version(),
        "name": "GoTrue",
        "description": "Serasi's accounts and sessions",
    }))
}
