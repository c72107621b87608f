//! `GET` and `HEAD /object/public/{bucket}/{key}`: anybody, from public buckets only.

use axum::extract::State;
use axum::response::Response;

use crate::error::Result;
use crate::routes::download::{Keep, Wish, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get_public(State(state): State<AppState>, target: ObjectTarget, wish: Wish) -> Result<Response> {
    answer(&state, &target, Reader::Anybody, &wish, Keep::AsStored).await
}
