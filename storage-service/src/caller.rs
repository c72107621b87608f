//! The caller: the bearer token's role and claims, and transactions with that role.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use platform::bearer;
use platform::claims::Claims;
use platform::database::Transaction;
use platform::token::TokenError;

use crate::domain::owner::Owner;
use crate::error::{ApiError, Result};
use crate::state::AppState;

/// The roles a request may have. Tokens with any other role are rejected before a query is made.
const ROLES: [&str; 3] = ["anon", "authenticated", "service_role"];

/// As in Supabase's storage server: functions in an operator's policies may name their tables without a schema.
const PATH: &str = "pg_catalog, storage, public, extensions, pg_temp";
/// No policies apply to the service key.
const SERVICE_PATH: &str = "pg_catalog, pg_temp";

pub struct Caller {
    role: &'static str,
    claims: Claims,
}

/// For endpoints that require the service key.
pub struct ServiceRole;

impl Caller {
    /// A transaction in which row policies see this caller, with the operation in `storage.operation`.
    pub async fn begin(&self, state: &AppState, operation: &str) -> Result<Transaction> {
        let mut transaction = state.pool.begin().await?;
        sqlx::query(
            "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
                    set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true),
                    set_config('search_path', $4, true), set_config('storage.operation', $5, true)",
        )
        .bind(self.role)
        .bind(self.claims.to_json())
        .bind(self.claims.text("sub").unwrap_or_default())
        .bind(if self.is_service() { SERVICE_PATH } else { PATH })
        .bind(operation)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction)
    }

    /// Whether the caller used the service key.
    pub fn is_service(&self) -> bool {
        self.role == "service_role"
    }

    pub fn owner(&self) -> Owner {
        Owner { id: self.claims.text("sub").map(str::to_owned) }
    }

    /// # Errors
    /// Fails when the token is missing or invalid.
    pub fn from_headers(headers: &HeaderMap, state: &AppState) -> Result<Self> {
        let token = bearer::credentials(headers).unwrap_or_default().trim();
        let claims = bearer::verify(token, &state.keys, &state.clock);
        let claims = claims.map_err(|error| ApiError::AccessDenied(fault(error)))?;
        // The token of a signed URL has no role and must never be accepted as a caller's.
        let role = ROLES.iter().find(|role| claims.role() == Some(role));
        let role = role.ok_or(ApiError::AccessDenied("Access denied: Invalid role"))?;
        Ok(Self { role, claims })
    }
}

/// Treats a denied query as an empty result. A role without privileges then sees the same as one without
/// matching policies, which does not reveal who lacks which privilege.
pub fn hide_denied<T: Default>(found: Result<T>) -> Result<T> {
    match found {
        Err(ApiError::AccessDenied(_)) => Ok(T::default()),
        found => found,
    }
}

/// Supabase's messages, which are those of the JavaScript library `jose`.
pub fn fault(error: TokenError) -> &'static str {
    match error {
        TokenError::Signature => "signature verification failed",
        TokenError::Expired => "\"exp\" claim timestamp check failed",
        TokenError::NotYetValid => "\"nbf\" claim timestamp check failed",
        _ => "Invalid Compact JWS",
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        // Supabase's storage service rejects such a request by its schema. Its gateway adds an empty token, so
        // Supabase's clients, which name themselves, expect the error of an invalid one.
        if !parts.headers.contains_key(AUTHORIZATION) && !parts.headers.contains_key("x-client-info") {
            return Err(ApiError::Schema("headers must have required property 'authorization'".to_owned()));
        }
        Self::from_headers(&parts.headers, state)
    }
}

impl FromRequestParts<AppState> for ServiceRole {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        if caller.is_service() { Ok(Self) } else { Err(ApiError::ServiceRoleOnly) }
    }
}
