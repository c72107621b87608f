//! `GET` and `HEAD /object/{bucket}/{key}`: as public where the bucket is, else as the caller.

use axum::extract::State;
use axum::response::Response;

use crate::caller::MaybeCaller;
use crate::error::Result;
use crate::routes::download::{Keep, Wish, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get(
    State(state): State<AppState>,
    caller: MaybeCaller,
    target: ObjectTarget,
    wish: Wish,
) -> Result<Response> {
    answer(&state, &target, Reader::Either(&caller), &wish, Keep::AsStored).await
}
