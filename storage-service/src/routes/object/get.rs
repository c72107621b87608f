//! `GET` and `HEAD` of an object: `/object/{bucket}/{key}`, and its `public`, `authenticated` and `sign` forms.

use axum::extract::State;
use axum::response::Response;

use crate::error::{ApiError, Result};
use crate::routes::download::{DownloadRequest, answer};
use crate::routes::read::Read;
use crate::state::AppState;

/// Tries again when the blob is missing: the object may just have been replaced.
pub async fn get(State(state): State<AppState>, read: Read, request: DownloadRequest) -> Result<Response> {
    let object = read.find(&state).await?;
    match answer(&state, &object, &request, read.caching()).await {
        Err(ApiError::NoSuchKey) => {
            let object = read.find(&state).await?;
            answer(&state, &object, &request, read.caching()).await
        }
        answered => answered,
    }
}
