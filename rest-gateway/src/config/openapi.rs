//! The OpenAPI description at the root endpoint.

use axum::http::Uri;
use platform::env::{ConfigError, Env};

use super::{choice, flag};

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

const MODES: [(&str, OpenApiMode); 3] = [
    ("follow-privileges", OpenApiMode::FollowPrivileges),
    ("ignore-privileges", OpenApiMode::IgnorePrivileges),
    ("disabled", OpenApiMode::Disabled),
];

impl OpenApiConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Ok(Self {
            mode: choice(env, "PGRST_OPENAPI_MODE", "openapi-mode", &MODES)?,
            security: flag(env, "PGRST_OPENAPI_SECURITY_ACTIVE")?,
            proxy_uri: proxy_uri(env)?,
        })
    }
}

fn proxy_uri(env: &Env) -> Result<Option<String>, ConfigError> {
    let name = "PGRST_OPENAPI_SERVER_PROXY_URI";
    let Some(text) = env.optional(name) else { return Ok(None) };
    let is_complete = text.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    });
    if is_complete {
        return Ok(Some(text.to_owned()));
    }
    let problem = "Malformed proxy uri, a correct example: https://example.com:8443/basePath";
    Err(ConfigError::new(name, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proxy_uri_needs_a_scheme_and_a_host() {
        let parsed = |uri: &str| proxy_uri(&Env::from_iter([("PGRST_OPENAPI_SERVER_PROXY_URI", uri)]));
        assert_eq!(
            parsed("https://example.com:8443/basePath").unwrap().as_deref(),
            Some("https://example.com:8443/basePath")
        );
        for uri in ["htp:/@@localhorst.invalid", "example.com", "/path", "ftp://example.com"] {
            assert!(parsed(uri).unwrap_err().to_string().contains("Malformed proxy uri"), "{uri}");
        }
    }
}
