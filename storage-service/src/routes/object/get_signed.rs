//! `GET /object/sign/{bucket}/{key}?token=`

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use chrono::DateTime;

use super::signed_token::{Scope, TokenQuery, verify};
use crate::error::{ApiError, Result};
use crate::routes::download::{Caching, DownloadRequest, answer};
use crate::routes::find::Reader;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

pub async fn get_signed(
    State(state): State<AppState>,
    target: ObjectTarget,
    query: Result<Query<TokenQuery>, QueryRejection>,
    request: DownloadRequest,
) -> Result<Response> {
    let Query(query) = query.map_err(|_| no_token())?;
    let claims = verify(&state, &query.token, Scope::Download, &target)?;
    let end = claims.seconds("exp").and_then(|end| DateTime::from_timestamp(end, 0)).unwrap_or_default();
    answer(&state, &target, Reader::Signature, &request, Caching::Until(end)).await
}

pub fn no_token() -> ApiError {
    ApiError::Schema("querystring must have required property 'token'".to_owned())
}
