//! `POST /object/sign/{bucket}/{key}`: creates a temporary URL for one object. `POST /object/sign/{bucket}`: for many keys; a
//! failing key does not fail the others.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::caller::{Caller, hide_denied};
use crate::error::Result;
use crate::render::options::Transformation;
use crate::routes::coerced;
use crate::routes::json_body::{JsonBody, check_keys};
use crate::routes::object_target::ObjectTarget;
use crate::routes::read::find_visible;
use crate::routes::signed_token::{SignedClaims, life};
use crate::state::AppState;
use crate::store::objects;

const MISSING: &str = "Either the object does not exist or you do not have access to it";

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "expiresIn", deserialize_with = "coerced::integer")]
    expires_in: i64,
    #[serde(default)]
    transform: Option<Transformation>,
}

#[derive(Serialize)]
pub struct Output {
    #[serde(rename = "signedURL")]
    signed_url: String,
}

pub async fn sign(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Output>> {
    target.path()?;
    let life = life(input.expires_in)?;
    let transformation = input.transform.map(|asked| asked.checked("body/transform")).transpose()?;
    let transformation = transformation.filter(|asked| !asked.is_empty());
    find_visible(&state, &caller, &target).await?;
    let (bucket, key) = (&target.bucket, &target.key);
    Ok(Json(Output { signed_url: signed_url(&state, bucket, key, transformation.as_ref(), life)? }))
}

/// Relative to the base URL of the storage API; the client adds the base and encodes the key.
fn signed_url(
    state: &AppState,
    bucket: &str,
    key: &str,
    transformation: Option<&Transformation>,
    life: i64,
) -> Result<String> {
    let now = state.clock.now().timestamp();
    let token = SignedClaims::download(bucket, key, transformation, now, life).sign(state)?;
    let place = if transformation.is_some() { "render/image" } else { "object" };
    Ok(format!("/{place}/sign/{bucket}/{key}?token={token}"))
}

#[derive(Deserialize)]
pub struct ManyInput {
    #[serde(rename = "expiresIn", deserialize_with = "coerced::integer")]
    expires_in: i64,
    paths: Vec<String>,
}

#[derive(Serialize)]
pub struct ManyOutput {
    error: Option<&'static str>,
    path: String,
    #[serde(rename = "signedURL")]
    signed_url: Option<String>,
}

pub async fn sign_many(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<ManyInput>,
) -> Result<Json<Vec<ManyOutput>>> {
    let life = life(input.expires_in)?;
    check_keys("paths", &input.paths)?;
    let mut transaction = caller.begin(&state, "storage.object.sign_many").await?;
    let visible = hide_denied(objects::visible_names(&mut transaction, &target.bucket, &input.paths).await)?;
    transaction.rollback().await?;
    let visible = visible.iter().map(String::as_str).collect::<HashSet<_>>();
    let signed = input.paths.into_iter().map(|path| {
        if visible.contains(path.as_str()) {
            let signed_url = Some(signed_url(&state, &target.bucket, &path, None, life)?);
            Ok(ManyOutput { error: None, path, signed_url })
        } else {
            Ok(ManyOutput { error: Some(MISSING), path, signed_url: None })
        }
    });
    signed.collect::<Result<Vec<_>>>().map(Json)
}
