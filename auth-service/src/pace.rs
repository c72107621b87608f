//! Hides whether an address has an account: queueing an e-mail takes a few more writes than finding no
//! account, so responses are delayed to a multiple of a fixed step.

use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::{Instant, sleep_until};

/// Well above what the writes take. On a busy machine, a slow response is delayed to the next multiple.
const STEP: Duration = Duration::from_millis(100);

/// Holds no resources while it waits.
pub async fn paced(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let response = next.run(request).await;
    let mut due = began + STEP;
    while due < Instant::now() {
        due += STEP;
    }
    sleep_until(due).await;
    response
}
