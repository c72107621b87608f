//! `serasi healthy`: a health check for containers whose image has no HTTP client.

use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Position, Url};

const TIMEOUT: Duration = Duration::from_secs(2);
/// The status line is at the beginning.
const READ_AT_MOST: u64 = 1024;

#[derive(Args)]
pub struct Options {
    /// The address to ask, such as http://127.0.0.1:9000/health
    url: Url,
}

/// # Errors
/// When the answer is not 2xx, or does not arrive in time.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    let url = &options.url;
    ensure!(url.scheme() == "http", "{url} does not begin with http://");
    let status = tokio::time::timeout(TIMEOUT, status(url))
        .await
        .map_err(|_| anyhow::anyhow!("no answer within {} seconds", TIMEOUT.as_secs()))
        .flatten();
    let status = status.with_context(|| url.to_string())?;
    ensure!((200..300).contains(&status), "{url} answered with status {status}");
    Ok(())
}

async fn status(url: &Url) -> anyhow::Result<u16> {
    let host = url.host_str().context("the address has no host")?.trim_matches(['[', ']']);
    let mut stream = TcpStream::connect((host, url.port().unwrap_or(80))).await?;
    let (path, authority) =
        (&url[Position::BeforePath..Position::AfterQuery], &url[Position::BeforeHost..Position::AfterPort]);
    let request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut response = Vec::new();
    stream.take(READ_AT_MOST).read_to_end(&mut response).await?;
    let response = String::from_utf8_lossy(&response);
    let status = response.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5));
    status.and_then(|status| status.parse().ok()).context("the answer is not HTTP")
}
