//! Loads the account and session that a token names in one query, which is all that most requests need.

use platform::database::PgConnection;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

use super::identities::{self, IdentityRow};
use super::sessions::SessionRow;
use super::users::{self, UserRow};

pub struct CallerRow {
    pub user: UserRow,
    /// The session named by the token, if it belongs to this account.
    pub session: Option<SessionRow>,
    pub identities: Vec<IdentityRow>,
}

/// Includes soft-deleted accounts, so that their former sessions are reported as ended.
pub async fn find(
    connection: &mut PgConnection,
    user_id: Uuid,
    session_id: Option<Uuid>,
) -> sqlx::Result<Option<CallerRow>> {
    let rows = sqlx::query(concat!(
        "select person.*, session.id as session_id, session.aal, session.amr,
                session.created_at as session_created_at, session.refreshed_at, session.not_after, ",
        identities::joined_columns!(),
        " from (select ",
        users::columns!(),
        "         from auth.users where id = $1) as person
           left join auth.sessions as session on session.id = $2 and session.user_id = person.id
           left join auth.identities as identity on identity.user_id = person.id
          order by identity.created_at, identity.id"
    ))
    .bind(user_id)
    .bind(session_id)
    .fetch_all(connection)
    .await?;
    let Some(first) = rows.first() else { return Ok(None) };
    Ok(Some(CallerRow {
        user: UserRow::from_row(first)?,
        session: session(first)?,
        identities: identities::joined(&rows)?,
    }))
}

fn session(row: &PgRow) -> sqlx::Result<Option<SessionRow>> {
    let Some(id) = row.try_get("session_id")? else { return Ok(None) };
    Ok(Some(SessionRow {
        id,
        user_id: row.try_get("id")?,
        aal: row.try_get("aal")?,
        amr: row.try_get("amr")?,
        created_at: row.try_get("session_created_at")?,
        refreshed_at: row.try_get("refreshed_at")?,
        not_after: row.try_get("not_after")?,
    }))
}
