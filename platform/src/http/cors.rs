//! The pages that may read the services' responses in a browser.

use axum::http::HeaderValue;
use url::Url;

use crate::env::{ConfigError, Env};

/// The origins of `SITE_URL` and `CORS_ALLOWED_ORIGINS` (comma-separated).
///
/// # Errors
/// Fails when one is not an HTTP URL; the error names the setting.
pub fn allowed_origins(env: &Env) -> Result<Vec<HeaderValue>, ConfigError> {
    let mut origins = Vec::new();
    for name in ["SITE_URL", "CORS_ALLOWED_ORIGINS"] {
        let list = env.optional(name).unwrap_or_default().split(',').map(str::trim);
        for text in list.filter(|text| !text.is_empty()) {
            origins.push(origin(text).map_err(|problem| ConfigError::new(name, problem))?);
        }
    }
    Ok(origins)
}

fn origin(text: &str) -> Result<HeaderValue, String> {
    let url = Url::parse(text).map_err(|error| format!("`{text}` is not a URL: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(format!("`{text}` is not an http or https URL"));
    }
    HeaderValue::from_str(&url.origin().ascii_serialization()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_come_from_both_settings() {
        let env =
            [("SITE_URL", "https://a.test/x"), ("CORS_ALLOWED_ORIGINS", "http://b.test:81, https://c.test")];
        let origins = allowed_origins(&env.into_iter().collect()).unwrap();
        assert_eq!(origins, ["https://a.test", "http://b.test:81", "https://c.test"]);
        let no_settings: [(&str, &str); 0] = [];
        assert!(allowed_origins(&no_settings.into_iter().collect()).unwrap().is_empty());
        for wrong in ["serasi", "javascript:alert(1)", "ftp://x"] {
            let error =
                allowed_origins(&[("CORS_ALLOWED_ORIGINS", wrong)].into_iter().collect()).unwrap_err();
            assert_eq!(error.variable, "CORS_ALLOWED_ORIGINS");
        }
    }
}
