//! Answers that must not tell who has an account take the same time: mailing somebody costs a few writes more than
//! finding nobody to mail.

use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::{Instant, sleep_until};

/// Well above what the writes take. On a busy machine, too, an answer comes at a whole number of these steps.
const STEP: Duration = Duration::from_millis(100);

/// Nothing is held while it waits.
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
