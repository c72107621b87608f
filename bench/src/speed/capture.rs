//! Finds out what the gateway sends to PostgreSQL for a request: PostgreSQL logs all statements for a moment.

use std::fs;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::time::sleep;
use tokio_postgres::Client;

use super::log_text::{self, Statement};
use crate::product::Product;
use crate::wrk::Request;

/// The gateway's login.
pub const LOGIN: &str = "authenticator";
/// Time for the log to be written, and for all sessions to read the changed settings.
const PAUSE: Duration = Duration::from_millis(500);
/// Time for the gateway to detect that its sessions ended, and to open new ones.
const RECONNECT: Duration = Duration::from_secs(3);
/// Requests before the one that counts, so that its session has prepared everything.
const UNCOUNTED: usize = 3;

const SETTINGS: [(&str, &str); 7] = [
    ("log_statement", "all"),
    ("log_line_prefix", log_text::LINE_PREFIX),
    ("log_error_verbosity", "default"),
    ("log_min_messages", "warning"),
    ("log_parameter_max_length", "-1"),
    ("log_min_duration_statement", "-1"),
    ("log_duration", "off"),
];

/// The embedded database logs nothing of the gateway's sessions. This applies to sessions from their start, so the
/// gateway has to connect again.
///
/// # Errors
/// When the database rejects a statement.
pub async fn allow_logging(database: &Client) -> anyhow::Result<()> {
    set_logging(database, "set log_min_messages = warning").await?;
    let reconnect =
        format!("select pg_terminate_backend(pid) from pg_stat_activity where usename = '{LOGIN}'");
    database.batch_execute(&reconnect).await.context("the gateway's sessions")?;
    sleep(RECONNECT).await;
    Ok(())
}

/// # Errors
/// When the database rejects a statement.
pub async fn forbid_logging(database: &Client) -> anyhow::Result<()> {
    set_logging(database, "reset log_min_messages").await
}

async fn set_logging(database: &Client, action: &str) -> anyhow::Result<()> {
    let name: String = database.query_one("select quote_ident(current_database())", &[]).await?.try_get(0)?;
    Ok(database.batch_execute(&format!("alter role {LOGIN} in database {name} {action}")).await?)
}

/// The statements of one request, which mentions `person` in its token.
///
/// # Errors
/// When the request fails or the log does not show it.
pub async fn statements(
    product: &Product,
    database: &Client,
    request: &Request,
    person: &str,
) -> anyhow::Result<Vec<Statement>> {
    configure(database, |name, value| format!("alter system set {name} = '{value}'")).await?;
    let captured = capture(product, request, person).await;
    configure(database, |name, _| format!("alter system reset {name}")).await?;
    captured
}

async fn configure(database: &Client, statement: impl Fn(&str, &str) -> String) -> anyhow::Result<()> {
    for (name, value) in SETTINGS {
        database.batch_execute(&statement(name, value)).await?;
    }
    database.batch_execute("select pg_reload_conf()").await?;
    sleep(PAUSE).await;
    Ok(())
}

async fn capture(product: &Product, request: &Request, person: &str) -> anyhow::Result<Vec<Statement>> {
    let (http, log) = (&product.http, product.data_dir.join("postgres.log"));
    for _ in 0..UNCOUNTED {
        request.send(http, &product.url).await?;
    }
    sleep(PAUSE).await;
    let read_log = || fs::read(&log).with_context(|| log.display().to_string());
    let before = read_log()?.len();
    request.send(http, &product.url).await?;
    sleep(PAUSE).await;
    let log = read_log()?;
    // A log that became shorter was rotated.
    let log = log.get(before..).unwrap_or(&log);
    let statements = log_text::statements(&String::from_utf8_lossy(log), LOGIN, person)?;
    ensure!(statements.len() > 1, "PostgreSQL's log shows {} statements", statements.len());
    Ok(statements)
}
