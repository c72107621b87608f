use sqlx::migrate::MigrateError;
use sqlx::postgres::PgDatabaseError;

pub type Result<T = (), E = MigrationError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    #[error("a migration failed: {0}{detail}", detail = migration_detail(.0))]
    Migration(#[from] MigrateError),
    #[error("the database rejected a statement: {0}")]
    Database(#[from] sqlx::Error),
    #[error("{file}: {error}")]
    File { file: String, error: sqlx::Error },
    #[error("{file} can't be read: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error(
        "the database is {database}, and this program is {program}: start that version or a later one, \
         or restore a backup from before the upgrade"
    )]
    NewerDatabase { database: String, program: String },
    #[error(
        "the database is older (migration {0}) than this program can upgrade: first start Serasi of commit fae86093 \
         (migration 49), then this one"
    )]
    TooOld(i64),
    #[error(
        "the database is of a version that was never released (migration {0}): first start Serasi of commit b508a925, then this one"
    )]
    Unreleased(i64),
    #[error("{0}")]
    OtherContents(&'static str),
    #[error("{object}, which this version no longer has, can't be removed: {error}{}", detail(.error))]
    NotRemovable { object: String, error: sqlx::Error },
    #[error(
        "nothing was changed, because this version would remove or replace what you created: {0}; drop it or give it another name, \
         and create it again afterwards"
    )]
    NotKept(String),
    #[error("a restore into this database was interrupted: run `serasi restore` again, which starts over")]
    Restoring,
    #[error("applying {0} does not create everything that these files name")]
    Incomplete(String),
    #[error(
        "the upgrade stopped, because other transactions kept their locks ({attempts} attempts){holder}: \
         end them, then try again. The version before can go on meanwhile"
    )]
    Busy { attempts: u32, holder: String },
}

fn migration_detail(error: &MigrateError) -> String {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => detail(error),
        _ => String::new(),
    }
}

/// Names what depends on an object that can't be removed.
fn detail(error: &sqlx::Error) -> String {
    let error = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    error.and_then(PgDatabaseError::detail).map(|detail| format!(" ({detail})")).unwrap_or_default()
}

impl MigrationError {
    /// Whether the same attempt may succeed once other transactions have ended.
    pub(crate) fn is_temporary(&self) -> bool {
        let Some(error) = self.database_error() else { return false };
        // 55P03: lock timeout. 57014: the limit for all locks together. 40P01: deadlock. Roles belong to the whole cluster, but this program's advisory lock
        // holds only within one database: if another database changes the same role, the later statement fails, with
        // a code that is not specific enough.
        matches!(error.code().as_deref(), Some("55P03" | "57014" | "40P01"))
            || error.message() == "tuple concurrently updated"
            // Two databases created the same role.
            || error.code().as_deref() == Some("42710") && error.message().starts_with("role ")
            || error.constraint() == Some("pg_authid_rolname_index")
    }

    /// Whether `create or replace` refused, because the new columns, parameters or result are too different.
    pub(crate) fn is_irreplaceable(&self) -> bool {
        let code = self.database_error().and_then(|error| error.code());
        matches!(code.as_deref(), Some("42P16" | "42P13"))
    }

    fn database_error(&self) -> Option<&dyn sqlx::error::DatabaseError> {
        match self {
            Self::Migration(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _))
            | Self::Database(error)
            | Self::File { error, .. }
            | Self::NotRemovable { error, .. } => error.as_database_error(),
            _ => None,
        }
    }
}
