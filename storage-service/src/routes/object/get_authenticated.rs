//! `GET` and `HEAD /object/authenticated/{bucket}/{key}`: what row policies show the caller.

use axum::extract::State;
use axum::response::Response;

use crate::caller::Caller;
use crate::error::Result;
use crate::routes::download::{Keep, Wish, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get_authenticated(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    wish: Wish,
) -> Result<Response> {
    answer(&state, &target, Reader::Caller(&caller), &wish, Keep::AsStored).await
}
