//! `POST /object/sign/{bucket}`: like `sign`, for many keys. A failing key does not fail the others.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::sign::signed_url;
use super::signed_token::life;
use crate::caller::{Caller, hide_denied};
use crate::error::Result;
use crate::routes::coerced;
use crate::routes::json_body::{JsonBody, check_keys};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::objects;

const MISSING: &str = "Either the object does not exist or you do not have access to it";

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "expiresIn", deserialize_with = "coerced::integer")]
    expires_in: i64,
    paths: Vec<String>,
}

#[derive(Serialize)]
pub struct Output {
    error: Option<&'static str>,
    path: String,
    #[serde(rename = "signedURL")]
    signed_url: Option<String>,
}

pub async fn sign_many(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Vec<Output>>> {
    let life = life(input.expires_in)?;
    check_keys("paths", &input.paths)?;
    let mut transaction = caller.begin(&state, "storage.object.sign_many").await?;
    let visible = hide_denied(objects::visible_names(&mut transaction, &target.bucket, &input.paths).await)?;
    transaction.rollback().await?;
    let visible = visible.iter().map(String::as_str).collect::<std::collections::HashSet<_>>();
    let signed = input.paths.into_iter().map(|path| {
        if visible.contains(path.as_str()) {
            let signed_url = Some(signed_url(&state, &target.bucket, &path, None, life)?);
            Ok(Output { error: None, path, signed_url })
        } else {
            Ok(Output { error: Some(MISSING), path, signed_url: None })
        }
    });
    signed.collect::<Result<Vec<_>>>().map(Json)
}
