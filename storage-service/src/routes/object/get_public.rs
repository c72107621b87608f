//! `GET` and `HEAD /object/public/{bucket}/{key}`: anonymous access to public buckets.

use axum::extract::State;
use axum::response::Response;

use crate::error::Result;
use crate::routes::download::{Caching, DownloadRequest, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get_public(
    State(state): State<AppState>,
    target: ObjectTarget,
    request: DownloadRequest,
) -> Result<Response> {
    answer(&state, &target, Reader::Anybody, &request, Caching::AsStored).await
}
