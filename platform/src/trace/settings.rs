//! OpenTelemetry's own settings.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::env::{ConfigError, Env};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

#[derive(Debug)]
pub struct Settings {
    pub url: Url,
    /// Headers for the collector, such as its key.
    pub headers: HeaderMap,
    pub service: String,
}

impl Settings {
    /// `None` without a collector.
    ///
    /// # Errors
    /// When a setting is malformed. The message contains no header.
    pub fn from_env(env: &Env) -> Result<Option<Self>, ConfigError> {
        let Some(base) = env.optional(ENDPOINT) else { return Ok(None) };
        let url = Url::parse(&format!("{}/v1/traces", base.trim_end_matches('/'))).ok();
        let url = url
            .filter(|url| ["http", "https"].contains(&url.scheme()))
            .ok_or_else(|| ConfigError::new(ENDPOINT, "is not an address such as http://localhost:4318"))?;
        let service = env.optional("OTEL_SERVICE_NAME").unwrap_or("serasi").to_owned();
        Ok(Some(Self { url, headers: headers(env)?, service }))
    }
}

fn headers(env: &Env) -> Result<HeaderMap, ConfigError> {
    let pairs = env.optional(HEADERS).unwrap_or_default().split(',').filter(|pair| !pair.trim().is_empty());
    let read = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let mut value: HeaderValue = value.trim().parse().ok()?;
        value.set_sensitive(true);
        Some((name.trim().parse::<HeaderName>().ok()?, value))
    };
    let read = pairs.map(read).collect::<Option<_>>();
    read.ok_or_else(|| ConfigError::new(HEADERS, "is not a list such as name=value,other=value"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Option<Settings>, ConfigError> {
        Settings::from_env(&variables.iter().copied().collect())
    }

    #[test]
    fn nothing_is_sent_without_a_collector() {
        assert!(read(&[("OTEL_SERVICE_NAME", "x")]).unwrap().is_none());
    }

    #[test]
    fn the_variables_have_their_standard_meaning() {
        let settings =
            read(&[(ENDPOINT, "http://collector:4318/"), (HEADERS, "key=a=b, other=c")]).unwrap().unwrap();
        assert_eq!(settings.url.as_str(), "http://collector:4318/v1/traces");
        assert_eq!(
            (&settings.headers["key"], &settings.headers["other"]),
            (&"a=b".parse().unwrap(), &"c".parse().unwrap())
        );
        assert!(!format!("{settings:?}").contains("a=b"));
        assert_eq!(settings.service, "serasi");
    }

    #[test]
    fn errors_name_the_setting_without_its_secrets() {
        let endpoint = (ENDPOINT, "http://collector:4318");
        for (variable, value) in
            [(ENDPOINT, "collector:4318"), (HEADERS, "hush"), (HEADERS, "two words=hush")]
        {
            let error = read(&[endpoint, (variable, value)]).unwrap_err();
            assert_eq!(error.variable, variable);
            assert!(!error.problem.contains("hush"), "{error}");
        }
    }
}
