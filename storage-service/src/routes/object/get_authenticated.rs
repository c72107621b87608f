//! `GET` and `HEAD /object/authenticated/{bucket}/{key}`: objects that row policies show the caller.

use axum::extract::State;
use axum::response::Response;

use crate::caller::Caller;
use crate::error::Result;
use crate::routes::download::{Caching, DownloadRequest, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get_authenticated(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    request: DownloadRequest,
) -> Result<Response> {
    answer(&state, &target, Reader::Caller(&caller), &request, Caching::AsStored).await
}
