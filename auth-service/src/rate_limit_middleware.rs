//! The middleware that applies the rate limits to a route.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::client::Client;
use crate::error::Result;
use crate::rate_limit::Limited;
use crate::security_event::{About, SecurityEvent};
use crate::service::Shared;

/// Calls without a client address (from inside the process) are not limited.
pub async fn limited(
    State((service, kind)): State<(Shared, Limited)>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let client = Client::of(request.extensions(), request.headers(), &service.config.trusted_proxies);
    if let (Some(limits), Some(address)) = (&service.limits, client.address) {
        limits.admit(kind, address).inspect_err(|_| {
            let by = Some(kind.name());
            let about = About { client: Some(address), by, ..About::default() };
            SecurityEvent::ClientLimited.record_limited(about, &service.refusals_logged);
        })?;
    }
    Ok(next.run(request).await)
}
