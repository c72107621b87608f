//! `DELETE /factors/{id}`

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::{FactorId, session_of, stepped_up_recently};
use crate::caller::SignedIn;
use crate::error::{AuthError, Result};
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::store::factors;

pub async fn delete(State(service): State<Shared>, caller: SignedIn, id: FactorId) -> Result<Json<Value>> {
    let mut transaction = service.pool.begin().await?;
    let factor = id.of(&mut transaction, &caller).await?;
    let was_verified = factor.verified_at.is_some();
    if was_verified && !stepped_up_recently(session_of(&caller)?, service.now()) {
        let message = "AAL2 required to unenroll verified factor";
        return Err(AuthError::unprocessable("insufficient_aal", message));
    }
    factors::delete(&mut transaction, caller.user.id, factor.id).await?;
    transaction.commit().await?;
    if was_verified {
        SecurityEvent::FactorRemoved.of_account(caller.user.id, &caller.client);
    }
    Ok(Json(json!({ "id": factor.id })))
}
