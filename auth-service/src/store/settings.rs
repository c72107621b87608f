//! `auth.settings`: the settings of this service that the database needs.

use chrono::TimeDelta;
use platform::database::PgConnection;
use sqlx::postgres::types::PgInterval;

pub struct Settings {
    pub admin_mfa_required: bool,
    pub session_time_box: Option<TimeDelta>,
    pub session_inactivity_timeout: Option<TimeDelta>,
}

/// Writes nothing if nothing has changed.
pub async fn write(connection: &mut PgConnection, settings: &Settings) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.settings as kept (admin_mfa_required, session_time_box, session_inactivity_timeout)
         values ($1, $2, $3)
         on conflict (only_row) do update
            set admin_mfa_required = $1, session_time_box = $2, session_inactivity_timeout = $3
          where (kept.admin_mfa_required, kept.session_time_box, kept.session_inactivity_timeout)
                is distinct from ($1, $2, $3)",
    )
    .bind(settings.admin_mfa_required)
    .bind(settings.session_time_box.map(interval))
    .bind(settings.session_inactivity_timeout.map(interval))
    .execute(connection)
    .await?;
    Ok(())
}

fn interval(span: TimeDelta) -> PgInterval {
    PgInterval { months: 0, days: 0, microseconds: span.num_microseconds().unwrap_or(i64::MAX) }
}
