//! A transaction in the name of whoever asks: PostgreSQL's policies see the caller's role and claims,
//! and see them no longer when the transaction ends.

use crate::claims::Claims;
use crate::database::{Pool, Transaction};

/// The roles a request may take. Anything else in a token is refused before the database is asked.
pub const ROLES: [&str; 3] = ["anon", "authenticated", "service_role"];

/// Begins a transaction as `role`, with the claims where `auth.uid()` and the policies read them.
/// The login role must be a member of `role`; the role is a parameter, never part of the statement.
///
/// # Errors
/// When the database refuses the role or can't be reached.
pub async fn begin(pool: &Pool, role: &str, claims: &Claims) -> sqlx::Result<Transaction> {
    let mut transaction = pool.begin().await?;
    sqlx::query(
        "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
                set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true)",
    )
    .bind(role)
    .bind(claims.to_json())
    .bind(claims.text("sub").unwrap_or_default())
    .execute(&mut *transaction)
    .await?;
    Ok(transaction)
}
