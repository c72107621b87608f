//! `serasi healthy`: a health check for containers whose image has no HTTP client.

use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use reqwest::redirect::Policy;
use url::Url;

const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Args)]
pub struct Options {
    /// The URL to request, such as http://127.0.0.1:9000/health
    url: Url,
}

/// # Errors
/// When the answer is not 2xx, or does not arrive in time.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    let url = &options.url;
    ensure!(url.scheme() == "http", "{url} does not begin with http://");
    let client = reqwest::Client::builder().timeout(TIMEOUT).redirect(Policy::none()).no_proxy().build()?;
    let answer = client.get(url.clone()).send().await.map_err(|error| match error.is_timeout() {
        true => anyhow!("no answer within {} seconds", TIMEOUT.as_secs()),
        false => anyhow!("{}", error.without_url()),
    });
    let status = answer.with_context(|| url.to_string())?.status();
    ensure!(status.is_success(), "{url} answered with status {}", status.as_u16());
    Ok(())
}
