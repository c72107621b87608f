//! `/admin/users/{id}/factors`, `/admin/users/{id}/factors/{factor}`

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use serde::Deserialize;
use uuid::Uuid;

use crate::body::OptionalJsonBody;
use crate::caller::Operator;
use crate::error::{AuthError, Result, violates};
use crate::routes::admin::users::Account;
use crate::routes::factors::{factor_id, friendly_name, name_conflict, not_found};
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::store::factors::{self, Factor};
use crate::store::users::{self, UserRow};

const NAME_KEY: &str = "mfa_factors_friendly_name_key";

/// `{factor}` in the path.
pub struct FactorId(Uuid);

impl FromRequestParts<Shared> for FactorId {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self> {
        factor_id(parts, "factor").await.map(Self)
    }
}

fn of(user: UserRow, id: Uuid) -> Result<Factor> {
    user.factors.into_iter().find(|factor| factor.id == id).ok_or_else(not_found)
}

pub async fn list(_: Operator, Account(user): Account) -> Json<Vec<Factor>> {
    Json(user.factors)
}

pub async fn delete(
    State(service): State<Shared>,
    operator: Operator,
    Account(user): Account,
    FactorId(id): FactorId,
) -> Result<Json<Factor>> {
    let account = user.id;
    let factor = of(user, id)?;
    let mut connection = service.pool.acquire().await?;
    if !factors::delete(&mut connection, account, id).await? {
        return Err(not_found());
    }
    SecurityEvent::FactorRemoved.record(operator.about(account));
    Ok(Json(factor))
}

#[derive(Default, Deserialize)]
pub struct Request {
    #[serde(default)]
    friendly_name: Option<String>,
}

pub async fn rename(
    State(service): State<Shared>,
    _: Operator,
    Account(user): Account,
    FactorId(id): FactorId,
    OptionalJsonBody(body): OptionalJsonBody<Request>,
) -> Result<Json<Factor>> {
    let account = user.id;
    let unchanged = of(user, id)?;
    let Some(name) = friendly_name(body.friendly_name)? else { return Ok(Json(unchanged)) };
    let mut connection = service.pool.acquire().await?;
    factors::rename(&mut connection, account, id, Some(&name), service.now())
        .await
        .map_err(|error| if violates(&error, NAME_KEY) { name_conflict(&name) } else { error.into() })?;
    let user = users::by_id_with_deleted(&mut connection, account).await?.ok_or_else(not_found)?;
    of(user, id).map(Json)
}
