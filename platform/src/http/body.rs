//! Request bodies: a deadline for receiving them, and a shared limit on the memory of buffered ones.

mod budget;
mod timed;

use axum::body::{Body, Bytes};
use axum::http::Extensions;
use http_body_util::BodyExt;

pub use budget::BodyBudget;
pub(super) use timed::TimedBody;

/// Why a body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    #[error("the request body is too large")]
    TooLarge,
    /// Respond with 408.
    #[error("the request body did not arrive in time")]
    Timeout,
    /// Respond with 503 and `Retry-After`.
    #[error("too many request bodies are being received, try again")]
    OutOfMemory,
    /// The client disconnected or sent malformed data.
    #[error("the request body can't be read: {0}")]
    Broken(#[source] axum::Error),
}

impl BodyError {
    fn of(error: axum::Error) -> Self {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
        while let Some(known) = cause {
            if known.is::<timed::Timeout>() {
                return Self::Timeout;
            }
            cause = known.source();
        }
        Self::Broken(error)
    }
}

/// Reads a whole body of at most `max` bytes. Its memory counts against the server's budget (from the
/// request's extensions) until the last clone of the result is dropped.
///
/// # Errors
/// Fails when the body is too large or too slow, when the budget is exhausted, or when the client
/// disconnects.
pub async fn read(extensions: &Extensions, mut body: Body, max: usize) -> Result<Bytes, BodyError> {
    let mut charge = extensions.get::<BodyBudget>().map(BodyBudget::charge).unwrap_or_default();
    if http_body::Body::size_hint(&body).lower() > max as u64 {
        return Err(BodyError::TooLarge);
    }
    let mut content = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(BodyError::of)?.into_data() else { continue };
        let length = content.len() + data.len();
        if length > max {
            return Err(BodyError::TooLarge);
        }
        if length > content.capacity() {
            let capacity = length.max(2 * content.capacity()).min(max);
            charge.grow_to(capacity).map_err(|budget::Exhausted| BodyError::OutOfMemory)?;
            content.reserve_exact(capacity - content.len());
        }
        content.extend_from_slice(&data);
    }
    Ok(Bytes::from_owner(Charged { content, _charge: charge }))
}

/// A body with its share of the budget.
struct Charged {
    content: Vec<u8>,
    _charge: budget::Charge,
}

impl AsRef<[u8]> for Charged {
    fn as_ref(&self) -> &[u8] {
        &self.content
    }
}
