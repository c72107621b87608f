//! `DELETE /object/{bucket}`: deletes those of the named keys that the caller may delete, and silently skips
//! the rest.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::row::Row;
use crate::blobs;
use crate::caller::{Caller, hide_denied};
use crate::error::Result;
use crate::routes::json_body::{JsonBody, check_keys};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::objects;

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
    check_keys("prefixes", &input.prefixes)?;
    let mut transaction = caller.begin(&state, "storage.object.delete_many").await?;
    let deleted = hide_denied(objects::delete(&mut transaction, &target.bucket, &input.prefixes).await)?;
    let rows = deleted.iter().map(|object| (object.id, object.blob()));
    blobs::remove_with_rows(&state, transaction, rows).await?;
    Ok(Json(deleted.into_iter().map(Row::from).collect()))
}
