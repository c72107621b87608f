//! `POST /token?grant_type=…`: exchanges a password, a refresh token or a PKCE code for a session.

mod password;
mod pkce;
mod refresh;

use axum::extract::{FromRequest, Request, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

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
    request: Request,
) -> Result<Response> {
    let session = match grant.grant_type.as_str() {
        "password" => password::grant(&service, &client, read(&service, request).await?).await?,
        "refresh_token" => refresh::grant(&service, &client, read(&service, request).await?).await?,
        "pkce" => pkce::grant(&service, &client, read(&service, request).await?).await?,
        "id_token" => return Err(not_offered::id_token(&read(&service, request).await?)),
        "web3" => return Err(not_offered::web3()),
        _ => return Err(AuthError::bad_request("invalid_credentials", "unsupported_grant_type")),
    };
    Ok(session.into_response())
}

/// Reads the body after the grant type is known: an unsupported grant is rejected whatever the body holds.
async fn read<T: DeserializeOwned>(service: &Shared, request: Request) -> Result<T> {
    JsonBody::from_request(request, service).await.map(|JsonBody(body)| body)
}
