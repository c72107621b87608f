//! Why the schema cache can't be kept current, in PostgREST's words.

use platform::database::POOLER_ADVICE;

use crate::config::ErrorVerbosity;
use crate::config::database::DatabaseConfig;
use crate::pool::error::DatabaseError;
use crate::schema_cache::load::LoadError;
use crate::wire::connect::ConnectError;

use super::database_settings::error_body;

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The connection that listens for notifications can't be opened, or was lost.
    #[error("{0}")]
    Listen(String),
    #[error("{0}")]
    Connect(#[from] ConnectError),
    #[error("{0}")]
    Load(#[from] LoadError),
    /// The pooler mixes up the clients' prepared statements.
    #[error("{POOLER_ADVICE}, or set PGRST_DB_PREPARED_STATEMENTS=false")]
    Pooler,
}

impl SessionError {
    /// Another attempt would fail in the same way.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Connect(error) => error.is_wrong_password(),
            Self::Pooler => true,
            Self::Listen(_) | Self::Load(_) => false,
        }
    }

    /// The database responded with an error.
    pub fn is_of_database(&self) -> bool {
        matches!(self, Self::Load(LoadError::Database(error)) if error.as_db_error().is_some())
    }

    pub fn describe(&self, config: &DatabaseConfig) -> String {
        match self {
            Self::Listen(problem) => {
                let channel = config.channel.as_deref().unwrap_or_default();
                format!("Failed listening for database notifications on the \"{channel}\" channel. {problem}")
            }
            Self::Connect(error) => {
                let what = if error.is_wrong_password() {
                    "Failed to establish a connection."
                } else {
                    "Failed to query the PostgreSQL version."
                };
                let body = DatabaseError::Unreachable(error.to_string()).error_body();
                format!("{what} {}", body.body(ErrorVerbosity::Verbose))
            }
            Self::Pooler => self.to_string(),
            Self::Load(error) => {
                let schemas = config.schemas.join(",");
                let path = config.extra_search_path.join(",");
                let problem = match error {
                    LoadError::Database(error) => error_body(error).body(ErrorVerbosity::Verbose),
                    other => other.to_string(),
                };
                format!(
                    "Failed to load the schema cache using db-schemas={schemas} and db-extra-search-path={path}. {problem}"
                )
            }
        }
    }
}
