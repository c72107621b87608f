//! Finds out what the gateway sends to PostgreSQL for a request: PostgreSQL logs all statements for a moment.

use std::fs;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio_postgres::Client;

use super::log_text::{self, Statement};
use super::product::Product;
use crate::http::Connection;

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
    let reconnect = format!(
        "alter role {LOGIN} in database {database_name} set log_min_messages = warning;
         select pg_terminate_backend(pid) from pg_stat_activity where usename = '{LOGIN}'",
        database_name = name(database).await?
    );
    database.batch_execute(&reconnect).await.context("the gateway's sessions")?;
    std::thread::sleep(RECONNECT);
    Ok(())
}

/// # Errors
/// When the database rejects a statement.
pub async fn forbid_logging(database: &Client) -> anyhow::Result<()> {
    let reset = format!("alter role {LOGIN} in database {} reset log_min_messages", name(database).await?);
    Ok(database.batch_execute(&reset).await?)
}

async fn name(database: &Client) -> anyhow::Result<String> {
    Ok(database.query_one("select quote_ident(current_database())", &[]).await?.try_get(0)?)
}

/// The statements of one request, which mentions `person` in its token.
///
/// # Errors
/// When the request fails or the log does not show it.
pub async fn statements(product: &Product, request: &[u8], person: &str) -> anyhow::Result<Vec<Statement>> {
    let change = |(name, value): &(&str, &str)| format!("alter system set {name} = '{value}'");
    let reset = |(name, _): &(&str, &str)| format!("alter system reset {name}");
    configure(product, &SETTINGS.iter().map(change).collect::<Vec<_>>()).await?;
    let captured = capture(product, request, person);
    configure(product, &SETTINGS.iter().map(reset).collect::<Vec<_>>()).await?;
    captured
}

async fn configure(product: &Product, statements: &[String]) -> anyhow::Result<()> {
    for statement in statements {
        product.database.batch_execute(statement).await?;
    }
    product.database.batch_execute("select pg_reload_conf()").await?;
    std::thread::sleep(PAUSE);
    Ok(())
}

fn capture(product: &Product, request: &[u8], person: &str) -> anyhow::Result<Vec<Statement>> {
    let mut connection = Connection::open(product.address)?;
    for _ in 0..UNCOUNTED {
        connection.exchange(request)?;
    }
    std::thread::sleep(PAUSE);
    let before = read_log(product)?.len();
    let status = connection.exchange(request)?;
    ensure!((200..300).contains(&status), "the request got {status}");
    std::thread::sleep(PAUSE);
    let log = read_log(product)?;
    // A log that became shorter was rotated.
    let log = log.get(before..).unwrap_or(&log);
    let statements = log_text::statements(&String::from_utf8_lossy(log), LOGIN, person)?;
    ensure!(statements.len() > 1, "PostgreSQL's log shows {} statements", statements.len());
    Ok(statements)
}

fn read_log(product: &Product) -> anyhow::Result<Vec<u8>> {
    fs::read(&product.log).with_context(|| product.log.display().to_string())
}
