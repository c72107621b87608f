//! `PUT /object/upload/sign/{bucket}/{key}?token=`

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use serde::Serialize;

use super::signed_token::{Scope, TokenQuery, no_token, verify};
use crate::domain::owner::Owner;
use crate::error::Result;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::objects::OnConflict;
use crate::upload::{Permission, Target, upload};

#[derive(Serialize)]
pub struct Output {
    #[serde(rename = "Key")]
    key: String,
}

pub async fn upload_signed(
    State(state): State<AppState>,
    target: ObjectTarget,
    query: Result<Query<TokenQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<Output>> {
    let Query(query) = query.map_err(|_| no_token())?;
    let claims = verify(&state, &query.token, Scope::Upload, &target)?;
    // The token decides whether the upload may replace an object, not the request.
    let replaces = claims.0.get("upsert").and_then(serde_json::Value::as_bool).unwrap_or(false);
    let conflict = if replaces { OnConflict::Replace } else { OnConflict::Refuse };
    let owner = Owner { id: claims.text("owner").map(str::to_owned) };
    let target = Target { bucket: target.bucket, key: target.key, conflict };
    let object = upload(&state, target, Permission::Signed(owner), request).await?;
    Ok(Json(Output { key: format!("{}/{}", object.bucket_id, object.name) }))
}
