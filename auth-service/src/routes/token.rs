//! `POST /token?grant_type=…`: a session for a password, a refresh token or a link's code.

mod password;
mod pkce;
mod refresh;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::{AuthError, Result};
use crate::query::QueryParams;
use crate::routes::not_offered;
use crate::service::Shared;

#[derive(Deserialize)]
pub struct Grant {
    #[serde(default)]
    grant_type: String,
}

pub async fn post(
    State(service): State<Shared>,
    QueryParams(grant): QueryParams<Grant>,
    client: Client,
    JsonBody(body): JsonBody<Value>,
) -> Result<Response> {
    let session = match grant.grant_type.as_str() {
        "password" => password::grant(&service, &client, read(body)?).await?,
        "refresh_token" => refresh::grant(&service, read(body)?).await?,
        "pkce" => pkce::grant(&service, &client, read(body)?).await?,
        "id_token" => return Err(not_offered::id_token(&read(body)?)),
        "web3" => return Err(not_offered::web3()),
        _ => return Err(AuthError::bad_request("invalid_credentials", "unsupported_grant_type")),
    };
    Ok(Json(session).into_response())
}

fn read<T: for<'de> Deserialize<'de>>(body: Value) -> Result<T> {
    serde_json::from_value(body).map_err(|error| {
        AuthError::bad_request("bad_json", format!("Could not parse request body as JSON: {error}"))
    })
}
