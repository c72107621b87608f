//! `DELETE /admin/users/{id}`

use axum::Json;
use axum::extract::State;
use platform::database::PgConnection;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Account, not_found, refusal};
use crate::body::OptionalJsonBody;
use crate::caller::Operator;
use crate::error::Result;
use crate::security_event::SecurityEvent;
use crate::service::{Service, Shared};
use crate::store::users::UserRow;
use crate::store::{factors, flow_state, identities, one_time_tokens, sessions, users};

#[derive(Default, Deserialize)]
pub struct Request {
    #[serde(default)]
    should_soft_delete: Option<bool>,
}

pub async fn delete(
    State(service): State<Shared>,
    operator: Operator,
    Account(UserRow { id, .. }): Account,
    OptionalJsonBody(body): OptionalJsonBody<Request>,
) -> Result<Json<Value>> {
    let mut transaction = service.pool.begin().await?;
    let user = users::lock_with_deleted(&mut transaction, id).await?.ok_or_else(not_found)?;
    // Deletes sessions before the account: a concurrent refresh holds its session's lock and then needs the
    // account.
    sessions::delete_all(&mut transaction, id).await?;
    if body.should_soft_delete == Some(true) {
        blank(&service, &mut transaction, user).await?;
    } else {
        remove(&mut transaction, id).await?;
    }
    transaction.commit().await?;
    SecurityEvent::AccountDeleted.record(operator.about(id));
    Ok(Json(json!({})))
}

async fn remove(connection: &mut PgConnection, id: Uuid) -> Result<()> {
    users::delete(connection, id).await.map(|_| ()).map_err(refusal)
}

/// Soft delete: keeps the row without personal data and frees the address.
async fn blank(service: &Service, connection: &mut PgConnection, user: UserRow) -> Result<()> {
    let now = service.now();
    identities::delete_of_user(connection, user.id).await?;
    one_time_tokens::delete_of_user(connection, user.id).await?;
    flow_state::delete_of_user(connection, user.id).await?;
    factors::delete_of_user(connection, user.id).await?;
    let blanked = UserRow {
        email: None,
        encrypted_password: None,
        new_email: None,
        phone: None,
        raw_user_meta_data: json!({}),
        raw_app_meta_data: json!({}),
        deleted_at: Some(now),
        updated_at: now,
        ..user
    };
    users::update(connection, &blanked).await.map_err(refusal)
}
