//! `storage.read_leases`, and the notifications that arrive in the order of commits.

use std::time::Duration;

use platform::database::PgConnection;
use uuid::Uuid;

pub const CHANNEL: &str = "storage_changes";

/// The content of a notification.
#[derive(Debug, PartialEq, Eq)]
pub enum Notification<'a> {
    /// The object with this bucket and key was replaced, renamed or deleted.
    Changed(&'a str),
    /// A replica's lease was renewed for the n-th time.
    Renewed(Uuid, u64),
    /// Anything may have changed.
    Everything,
}

impl<'a> Notification<'a> {
    /// An unknown payload counts as a change of everything.
    pub fn parse(payload: &'a str) -> Self {
        let renewed = |text: &str| {
            let (replica, number) = text.split_once(' ')?;
            Some(Self::Renewed(replica.parse().ok()?, number.parse().ok()?))
        };
        match payload.split_once(' ') {
            Some(("object", key)) => Self::Changed(key),
            Some(("lease", rest)) => renewed(rest).unwrap_or(Self::Everything),
            _ => Self::Everything,
        }
    }
}

/// Grants this replica a lease from now on, and notifies it.
pub async fn renew(
    connection: &mut PgConnection,
    replica: Uuid,
    length: Duration,
    number: u64,
) -> sqlx::Result<()> {
    // Both in one statement, so in one transaction.
    sqlx::query(
        "with renewed as (
           insert into storage.read_leases (replica, until)
           values ($1, clock_timestamp() + make_interval(secs => $2))
           on conflict (replica) do update set until = excluded.until returning replica)
         select pg_notify('storage_changes', 'lease ' || replica || ' ' || $3) from renewed",
    )
    .bind(replica)
    .bind(length.as_secs_f64())
    .bind(number.to_string())
    .fetch_optional(connection)
    .await?;
    Ok(())
}

/// The longest remaining time of other replicas' leases.
pub async fn longest_of_others(connection: &mut PgConnection, replica: Uuid) -> sqlx::Result<Duration> {
    let seconds: Option<f64> = sqlx::query_scalar(
        "select extract(epoch from max(until) - clock_timestamp())::float8 from storage.read_leases
         where replica <> $1 and until > clock_timestamp()",
    )
    .bind(replica)
    .fetch_one(connection)
    .await?;
    Ok(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default())
}

/// Removes the leases of replicas that have ended.
pub async fn prune(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("delete from storage.read_leases where until < clock_timestamp() - interval '1 hour'")
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_are_understood_or_drop_everything() {
        let replica = Uuid::new_v4();
        assert_eq!(Notification::parse("object images/a b.png"), Notification::Changed("images/a b.png"));
        assert_eq!(Notification::parse(&format!("lease {replica} 3")), Notification::Renewed(replica, 3));
        for text in ["all", "", "lease", "lease x 1", "lease 1", "objects"] {
            assert_eq!(Notification::parse(text), Notification::Everything, "{text}");
        }
    }
}
