//! `POST /verify`, `GET /verify`: redeems a typed code or a mailed link.

mod follow;

pub use follow::{get, head};

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use crate::body::JsonBody;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::phone::Phone;
use crate::domain::verification::Verification;
use crate::error::{AuthError, Result};
use crate::security_event::{About, AddressHash, SecurityEvent};
use crate::service::{Service, Shared};
use crate::sign_in;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::verification::{self, FIRST_HALF, Redeemed, bad_code, bad_link};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default, rename = "type")]
    purpose: Option<String>,
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    token_hash: Option<String>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    redirect_to: Option<String>,
}

pub async fn post(
    State(service): State<Shared>,
    client: Client,
    JsonBody(body): JsonBody<Request>,
) -> Result<Response> {
    let (token, gone) = find(&service, &client, &body).await?;
    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    let redeemed = verification::redeem(&service, &mut transaction, token, gone, now).await?;
    let event = redeemed.event();
    let session = match redeemed {
        Redeemed::Owner { user, .. } => {
            Some(sign_in::begin(&service, &mut transaction, *user, "otp", &client, now).await?)
        }
        Redeemed::FirstHalf => None,
    };
    transaction.commit().await?;
    let Some(session) = session else {
        return Ok(Json(json!({ "msg": FIRST_HALF, "code": "200" })).into_response());
    };
    verification::record(event, &client);
    sign_in::record(&session, "otp", &client);
    Ok(session.into_response())
}

/// The token to redeem, and the error to return if it disappears.
async fn find(
    service: &Service,
    client: &Client,
    body: &Request,
) -> Result<(OneTimeTokenRow, fn() -> AuthError)> {
    let purpose =
        given(&body.purpose).ok_or_else(|| AuthError::validation("Verify requires a verification type"))?;
    match (given(&body.token), given(&body.token_hash)) {
        (Some(code), None) => Ok((by_code(service, client, purpose, code, body).await?, bad_code)),
        (None, Some(link)) => {
            let alone =
                [&body.email, &body.phone, &body.redirect_to].into_iter().all(|field| given(field).is_none());
            if !alone {
                return Err(AuthError::validation("Only the token_hash and type should be provided"));
            }
            let purpose = Verification::parse(purpose).ok_or_else(unknown_type)?;
            let mut connection = service.pool.acquire().await?;
            Ok((verification::by_link(service, &mut connection, link, purpose, client).await?, bad_link))
        }
        (None, None) | (Some(_), Some(_)) => {
            Err(AuthError::validation("Verify requires either a token or a token hash"))
        }
    }
}

async fn by_code(
    service: &Service,
    client: &Client,
    purpose: &str,
    code: &str,
    body: &Request,
) -> Result<OneTimeTokenRow> {
    let email = match (given(&body.email), given(&body.phone)) {
        (Some(email), None) => Email::parse(email)?,
        (None, Some(phone)) => {
            Phone::parse(phone)?;
            return Err(bad_code());
        }
        (None, None) | (Some(_), Some(_)) => {
            let wanted = "Only an email address or phone number should be provided on verify";
            return Err(AuthError::validation(wanted));
        }
    };
    let kinds = Verification::parse(purpose).ok_or_else(bad_code)?.kinds();
    let mut connection = service.pool.acquire().await?;
    let found = verification::by_code(service, &mut connection, email.as_str(), code, kinds).await?;
    found.ok_or_else(|| {
        let (address, by) = (AddressHash::new(&service.digests, email.as_str()), Some("code"));
        SecurityEvent::ProofFailed.record(About {
            address: Some(&address),
            client: client.address,
            by,
            ..About::default()
        });
        bad_code()
    })
}

fn unknown_type() -> AuthError {
    AuthError::validation("Invalid email verification type")
}

fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}
