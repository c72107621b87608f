//! `--ready`: asks the admin server of a running gateway whether it is ready.

use std::process::ExitCode;
use std::time::Duration;

use platform::env::ConfigError;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::config::server::Host;
use crate::config::{Config, Source};

const TIMEOUT: Duration = Duration::from_secs(30);
const PORT: &str = "PGRST_ADMIN_SERVER_PORT";

pub async fn run(source: &Source) -> ExitCode {
    match ask(source).await {
        Ok(url) => {
            println!("OK: {url}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("ERROR: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn ask(source: &Source) -> Result<String, String> {
    let failed = |error: ConfigError| format!("Error in config {error}");
    let (values, _) = source.settings().map_err(failed)?;
    let port =
        values.optional(PORT).ok_or("Admin server is not running. Please check admin-server-port config.")?;
    let host =
        ["PGRST_ADMIN_SERVER_HOST", "PGRST_SERVER_HOST"].into_iter().find_map(|name| values.optional(name));
    let host = Host(host.unwrap_or("!4").to_owned());
    if host.is_wildcard() {
        return Err(format!(
            "The `--ready` flag cannot be used when server-host is configured as \"{}\". Please update your \
             server-host config to \"localhost\".",
            host.0
        ));
    }
    let shown = if host.0.contains(':') { format!("[{}]", host.0) } else { host.0.clone() };
    let url = format!("http://{shown}:{port}/ready");
    let Ok(port) = port.parse() else { return Err(format!("invalid url - {url}")) };
    Config::read(source.clone()).map_err(failed)?;
    match timeout(TIMEOUT, status(&host.0, &shown, port)).await {
        Ok(Ok(status)) if (200..300).contains(&status) => Ok(url),
        Ok(Ok(_)) => Err(url),
        _ => Err(format!("connection refused to {url}")),
    }
}

async fn status(host: &str, shown: &str, port: u16) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect((host, port)).await?;
    let request = format!("GET /ready HTTP/1.1\r\nHost: {shown}:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut response = Vec::new();
    stream.take(1024).read_to_end(&mut response).await?;
    let response = String::from_utf8_lossy(&response);
    let status = response.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.ok_or_else(|| std::io::Error::other("no HTTP response"))
}
