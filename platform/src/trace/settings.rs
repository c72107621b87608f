//! OpenTelemetry's own settings.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::env::{ConfigError, Env};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const SAMPLER_ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";
const DELAY: &str = "OTEL_BSP_SCHEDULE_DELAY";

#[derive(Debug)]
pub struct Settings {
    pub url: Url,
    /// Headers for the collector, such as its key.
    pub headers: HeaderMap,
    pub service: String,
    /// The fraction of the traces that begin here that is recorded, from 0 to 1.
    pub ratio: f64,
    /// The longest wait before spans are sent.
    pub delay: Duration,
}

impl Settings {
    /// `None` without a collector.
    ///
    /// # Errors
    /// When a setting is malformed. The message contains no header.
    pub fn from_env(env: &Env) -> Result<Option<Self>, ConfigError> {
        let (name, text) = match (env.optional(TRACES_ENDPOINT), env.optional(ENDPOINT)) {
            (Some(whole), _) => (TRACES_ENDPOINT, whole.to_owned()),
            (None, Some(base)) => (ENDPOINT, format!("{}/v1/traces", base.trim_end_matches('/'))),
            (None, None) => return Ok(None),
        };
        let url = Url::parse(&text).ok().filter(|url| ["http", "https"].contains(&url.scheme()));
        let url =
            url.ok_or_else(|| ConfigError::new(name, "is not an address such as http://localhost:4318"))?;
        match env.optional(PROTOCOL) {
            None | Some("http/json") => {}
            Some(other) => {
                let problem = format!("`{other}` is not supported: remove it, or set http/json (port 4318)");
                return Err(ConfigError::new(PROTOCOL, problem));
            }
        }
        Ok(Some(Self {
            url,
            headers: headers(env)?,
            service: env.optional("OTEL_SERVICE_NAME").unwrap_or("serasi").to_owned(),
            ratio: ratio(env)?,
            delay: Duration::from_millis(env.parse_or(DELAY, 5000)?),
        }))
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

/// A caller's decision in `traceparent` always takes precedence.
fn ratio(env: &Env) -> Result<f64, ConfigError> {
    match env.optional(SAMPLER) {
        None | Some("parentbased_always_on") => Ok(1.0),
        Some("parentbased_always_off") => Ok(0.0),
        Some("parentbased_traceidratio") => match env.parse_or(SAMPLER_ARGUMENT, 1.0)? {
            ratio if (0.0..=1.0).contains(&ratio) => Ok(ratio),
            other => Err(ConfigError::new(SAMPLER_ARGUMENT, format!("{other} is not between 0 and 1"))),
        },
        Some(other) => Err(ConfigError::new(
            SAMPLER,
            format!(
                "`{other}` is not parentbased_always_on, parentbased_always_off or parentbased_traceidratio"
            ),
        )),
    }
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
        assert_eq!((settings.service.as_str(), settings.ratio), ("serasi", 1.0));
        let whole = read(&[(ENDPOINT, "http://a"), (TRACES_ENDPOINT, "https://b/traces")]).unwrap().unwrap();
        assert_eq!(whole.url.as_str(), "https://b/traces");
    }

    #[test]
    fn errors_name_the_setting_without_its_secrets() {
        let endpoint = (ENDPOINT, "http://collector:4318");
        for (variable, value) in [
            (ENDPOINT, "collector:4318"),
            (PROTOCOL, "grpc"),
            (HEADERS, "hush"),
            (HEADERS, "two words=hush"),
            (SAMPLER, "always"),
            (DELAY, "soon"),
        ] {
            let error = read(&[endpoint, (variable, value)]).unwrap_err();
            assert_eq!(error.variable, variable);
            assert!(!error.problem.contains("hush"), "{error}");
        }
        let sampler = (SAMPLER, "parentbased_traceidratio");
        assert_eq!(
            read(&[endpoint, sampler, (SAMPLER_ARGUMENT, "2")]).unwrap_err().variable,
            SAMPLER_ARGUMENT
        );
        assert_eq!(read(&[endpoint, sampler, (SAMPLER_ARGUMENT, "0.1")]).unwrap().unwrap().ratio, 0.1);
    }
}
