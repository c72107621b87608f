//! Health checks for operators: liveness and readiness.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::time::timeout;

use crate::pool::Pool;
use crate::state::AppState;

const TIMEOUT: Duration = Duration::from_secs(1);

pub fn router(state: Arc<AppState>) -> Router {
    Router::new().route("/live", get(async || StatusCode::OK)).route("/ready", get(ready)).with_state(state)
}

/// Ready means that the schema cache is loaded and the database answers.
async fn ready(State(state): State<Arc<AppState>>) -> StatusCode {
    if state.current.borrow().is_none() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let pool = &state.pool;
    match timeout(TIMEOUT, answers(pool)).await {
        Ok(true) => StatusCode::OK,
        Ok(false) => StatusCode::SERVICE_UNAVAILABLE,
        // Either all connections are busy or the database does not answer. The outage probe finds out
        // which.
        Err(_) => {
            pool.outage.suspect();
            if pool.is_exhausted() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
        }
    }
}

async fn answers(pool: &Pool) -> bool {
    let Ok(mut lease) = pool.lease().await else { return false };
    let Ok(connection) = lease.connection() else { return false };
    let answered = connection.simple("").await.is_ok();
    if answered {
        lease.give_back(None);
    }
    answered
}
