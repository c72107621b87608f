//! libpq's `target_session_attrs`: which of several hosts is used.

use std::str::FromStr;

use sqlx::{Executor, PgConnection, Row};

use super::failure::unavailable;
use super::race::Rank;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetSession {
    Any,
    ReadWrite,
    ReadOnly,
    Primary,
    Standby,
    PreferStandby,
}

impl FromStr for TargetSession {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Self::Any),
            "read-write" => Ok(Self::ReadWrite),
            "read-only" => Ok(Self::ReadOnly),
            "primary" => Ok(Self::Primary),
            "standby" => Ok(Self::Standby),
            "prefer-standby" => Ok(Self::PreferStandby),
            _ => Err(format!(
                "has an invalid target_session_attrs value: \"{text}\". Choose any, read-write, read-only, primary, \
                 standby or prefer-standby"
            )),
        }
    }
}

impl TargetSession {
    /// Queries the server. `Any` needs no query.
    ///
    /// # Errors
    /// When the server is of another kind, or the connection is lost.
    pub(super) async fn rank(self, connection: &mut PgConnection) -> sqlx::Result<Rank> {
        if self == Self::Any {
            return Ok(Rank::Wanted);
        }
        // Not prepared: PgBouncer might pass the next message to another session.
        let ask =
            sqlx::raw_sql("select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'");
        let row = connection.fetch_one(ask).await?;
        self.judge(row.try_get(0)?, row.try_get(1)?).map_err(unavailable)
    }

    /// # Errors
    /// The error says what kind of server it is.
    pub fn judge(self, is_standby: bool, is_read_only: bool) -> Result<Rank, &'static str> {
        let (fits, problem) = match self {
            Self::Any => (true, ""),
            Self::ReadWrite => (!is_read_only, "the database does not allow writes"),
            Self::ReadOnly => (is_read_only, "the database is not read-only"),
            Self::Primary => (!is_standby, "the database is a standby"),
            Self::Standby => (is_standby, "the database is not a standby"),
            Self::PreferStandby if !is_standby => return Ok(Rank::Second),
            Self::PreferStandby => (true, ""),
        };
        if fits { Ok(Rank::Wanted) } else { Err(problem) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_session_is_recognized() {
        let fits = |text: &str, standby, read_only| match text
            .parse::<TargetSession>()
            .unwrap()
            .judge(standby, read_only)
        {
            Err(_) => "no",
            Ok(Rank::Second) => "second",
            Ok(Rank::Wanted) => "yes",
        };
        for (text, primary, read_only_primary, standby) in [
            ("any", "yes", "yes", "yes"),
            ("read-write", "yes", "no", "no"),
            ("read-only", "no", "yes", "yes"),
            ("primary", "yes", "yes", "no"),
            ("standby", "no", "no", "yes"),
            ("prefer-standby", "second", "second", "yes"),
        ] {
            let found = [fits(text, false, false), fits(text, false, true), fits(text, true, true)];
            assert_eq!(found, [primary, read_only_primary, standby], "{text}");
        }
        assert!("master".parse::<TargetSession>().unwrap_err().contains("\"master\""));
    }
}
