//! `GET` and `HEAD /object/{bucket}/{key}`: anonymous if the bucket is public, otherwise as the caller.

use axum::extract::State;
use axum::response::Response;

use crate::caller::MaybeCaller;
use crate::error::Result;
use crate::routes::download::{Caching, DownloadRequest, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get(
    State(state): State<AppState>,
    caller: MaybeCaller,
    target: ObjectTarget,
    request: DownloadRequest,
) -> Result<Response> {
    answer(&state, &target, Reader::Either(&caller), &request, Caching::AsStored).await
}
