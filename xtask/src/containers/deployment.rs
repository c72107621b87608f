//! The two ways to run the containers.

/// The deployment to start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Deployment {
    /// compose.yaml, with a mail catcher, demo data and TLS.
    Single,
    /// deploy/ha, without limits per client.
    HighlyAvailable,
}

impl Deployment {
    /// Compose's name for it.
    pub fn project(self) -> &'static str {
        match self {
            Self::Single => "serasi-test",
            Self::HighlyAvailable => "serasi-ha-test",
        }
    }

    /// The profiles to start.
    pub fn profiles(self) -> &'static str {
        match self {
            Self::Single => "mail,demo,backup",
            Self::HighlyAvailable => "backup",
        }
    }

    /// The files of the deployment.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Single => &["compose.yaml"],
            Self::HighlyAvailable => &["compose.yaml", "deploy/ha/compose.yaml", "without-limits.yaml"],
        }
    }

    /// The container of a database, and psql in it.
    pub fn psql(self) -> &'static [&'static str] {
        match self {
            Self::Single => &["db", "psql"],
            Self::HighlyAvailable => &["db1", "psql", "--host", "/tmp"],
        }
    }

    /// The scripts that create its secrets.
    pub fn secrets(self) -> &'static [&'static str] {
        match self {
            Self::Single => &["deploy/secrets.sh"],
            Self::HighlyAvailable => &["deploy/secrets.sh", "deploy/ha/secrets.sh"],
        }
    }
}
