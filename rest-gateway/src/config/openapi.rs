//! What the root endpoint reveals about the API.

use std::str::FromStr;

use platform::env::{ConfigError, Env};

pub const VARIABLES: &[&str] =
    &["PGRST_OPENAPI_MODE", "PGRST_OPENAPI_SECURITY_ACTIVE", "PGRST_OPENAPI_SERVER_PROXY_URI"];

#[derive(Debug, Clone)]
pub struct OpenApiConfig {
    pub mode: OpenApiMode,
    pub security: bool,
    pub proxy_uri: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenApiMode {
    /// Describe only what the caller's role may use.
    FollowPrivileges,
    IgnorePrivileges,
    Disabled,
}

impl FromStr for OpenApiMode {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "follow-privileges" => Ok(Self::FollowPrivileges),
            "ignore-privileges" => Ok(Self::IgnorePrivileges),
            "disabled" => Ok(Self::Disabled),
            _ => Err("choose follow-privileges, ignore-privileges or disabled"),
        }
    }
}

impl OpenApiConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Ok(Self {
            mode: env.parse_or("PGRST_OPENAPI_MODE", OpenApiMode::FollowPrivileges)?,
            security: env.flag_or("PGRST_OPENAPI_SECURITY_ACTIVE", false)?,
            proxy_uri: env.optional("PGRST_OPENAPI_SERVER_PROXY_URI").map(str::to_owned),
        })
    }
}
