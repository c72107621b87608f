//! For whoever runs the gateway: is it alive, can it serve.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;

use crate::app::Gateway;

pub fn router(gateway: Gateway) -> Router {
    Router::new().route("/live", get(async || StatusCode::OK)).route("/ready", get(ready)).with_state(gateway)
}

/// The schema cache is loaded and the database answers.
async fn ready(State(gateway): State<Gateway>) -> StatusCode {
    if gateway.inner().current.borrow().is_none() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let Ok(lease) = gateway.inner().pool.lease().await else { return StatusCode::SERVICE_UNAVAILABLE };
    let Ok(client) = lease.client() else { return StatusCode::SERVICE_UNAVAILABLE };
    match client.batch_execute("").await {
        Ok(()) => {
            lease.give_back();
            StatusCode::OK
        }
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}
