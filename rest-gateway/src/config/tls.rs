//! Encryption of the connections to the database, with libpq's modes.

use std::path::PathBuf;
use std::str::FromStr;

/// libpq's `sslmode`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TlsMode {
    Disable,
    /// Encrypts if the server supports it.
    #[default]
    Prefer,
    Require,
    /// Also verifies the server's certificate.
    VerifyCa,
    /// Also verifies the server's name.
    VerifyFull,
}

impl FromStr for TlsMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "disable" => Ok(Self::Disable),
            "allow" | "prefer" => Ok(Self::Prefer),
            "require" => Ok(Self::Require),
            "verify-ca" => Ok(Self::VerifyCa),
            "verify-full" => Ok(Self::VerifyFull),
            _ => Err(format!("has an invalid sslmode value: \"{text}\"")),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct TlsConfig {
    pub mode: TlsMode,
    /// A PEM file with trusted certificates. Without one, the public CAs are trusted.
    pub root_certificate: Option<PathBuf>,
}
