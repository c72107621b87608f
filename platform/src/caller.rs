//! Transactions on behalf of a caller: PostgreSQL's policies see the caller's role and claims until the
//! transaction ends.

use crate::claims::Claims;
use crate::database::{Pool, Transaction};

/// The roles a request may have. Tokens with any other role are rejected before a query is made.
pub const ROLES: [&str; 3] = ["anon", "authenticated", "service_role"];

/// As in Supabase's storage server.
const PATH: &str = "pg_catalog, storage, public, extensions, pg_temp";
const PINNED: &str = "pg_catalog, pg_temp";

/// Begins a transaction as `role`, with the claims where `auth.uid()` and the policies read them. The login
/// role must be a member of `role`. The role is passed as a parameter, never as part of the statement.
///
/// # Errors
/// Fails when the database rejects the role or can't be reached.
pub async fn begin(pool: &Pool, role: &str, claims: &Claims) -> sqlx::Result<Transaction> {
    let mut transaction = pool.begin().await?;
    // Functions in an operator's policies may name their tables without a schema. No policies apply to the service key.
    let path = if role == "service_role" { PINNED } else { PATH };
    sqlx::query(
        "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
                set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true), set_config('search_path', $4, true)",
    )
    .bind(role)
    .bind(claims.to_json())
    .bind(claims.text("sub").unwrap_or_default())
    .bind(path)
    .execute(&mut *transaction)
    .await?;
    Ok(transaction)
}
