//! `serasi.mail_outbox`: queues an e-mail in the caller's transaction. A worker sends it.

use platform::database::PgConnection;
use serde::Serialize;
use serde_json::json;
use sqlx::types::Json;

use crate::domain::mail_template::MailTemplate;

/// The data a template fills in.
#[derive(Serialize)]
pub struct Contents<'a> {
    /// `None` when only the code can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<&'a str>,
    pub code: &'a str,
    pub email: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_email: Option<&'a str>,
}

pub async fn enqueue(
    connection: &mut PgConnection,
    template: MailTemplate,
    recipient: &str,
    contents: &Contents<'_>,
) -> sqlx::Result<()> {
    sqlx::query("insert into serasi.mail_outbox (template, recipient, data) values ($1, $2, $3)")
        .bind(template.as_str())
        .bind(recipient)
        .bind(Json(contents))
        .execute(connection)
        .await?;
    Ok(())
}

/// Notifies an account's owner that a second factor was added.
pub async fn factor_added(connection: &mut PgConnection, recipient: &str) -> sqlx::Result<()> {
    sqlx::query("insert into serasi.mail_outbox (template, recipient, data) values ('factor_added', $1, $2)")
        .bind(recipient)
        .bind(Json(json!({ "path": "/account/security" })))
        .execute(connection)
        .await?;
    Ok(())
}
