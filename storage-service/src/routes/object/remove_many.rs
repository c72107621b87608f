//! `DELETE /object/{bucket}`: what the caller may delete of the named keys goes, the rest is silently kept.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::row::Row;
use crate::blobs;
use crate::caller::{Caller, seen};
use crate::error::Result;
use crate::routes::json_body::JsonBody;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::objects::{self, Object};

#[derive(Deserialize)]
pub struct Input {
    prefixes: Vec<String>,
}

pub async fn remove_many(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Vec<Row>>> {
    let mut transaction = caller.begin(&state, "storage.object.delete_many").await?;
    let deleted = seen(objects::delete(&mut transaction, &target.bucket, &input.prefixes).await)?;
    transaction.commit().await?;
    blobs::remove(&state, deleted.iter().filter_map(Object::blob)).await;
    Ok(Json(deleted.into_iter().map(Row::from).collect()))
}
