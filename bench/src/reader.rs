//! A reader with its own connection, because cached plans belong to the role they were made for. The gateway's own parser
//! and planner build the SQL of a request, so that a benchmark measures what the gateway currently sends.

use std::collections::HashMap;
use std::fs;

use anyhow::Context;
use axum::http::{HeaderMap, HeaderValue, Uri};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use platform::database::PIN;
use platform::env::Env;
use rest_gateway::Config;
use rest_gateway::statements::{Statement, StatementBuilder};
use serde_json::{Value, json};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Visitor,
    /// Row-level security is forced on the owner too, but its policy allows all rows.
    Owner,
    /// An account of `staff.sql` or `people.sql`, by the end of its id.
    Account(u8),
}

pub const ADMIN: Who = Who::Account(1);
pub const SUPERADMIN: Who = Who::Account(2);
pub const BUSY_INFLUENCER: Who = Who::Account(11);
pub const BUSY_AGENCY: Who = Who::Account(12);

impl Who {
    /// The role and the JWT claims.
    fn caller(self) -> (&'static str, String) {
        match self {
            Self::Visitor => ("anon", json!({ "role": "anon" }).to_string()),
            Self::Owner => ("serasi_owner", json!({ "role": "serasi_owner" }).to_string()),
            Self::Account(number) => {
                let id = format!("5e7bad00-0000-4000-8000-{number:012}");
                ("authenticated", json!({ "role": "authenticated", "sub": id }).to_string())
            }
        }
    }
}

/// A GET request, such as `influencers?select=id&name=ilike.*a*`.
#[derive(Debug, Clone)]
pub struct Get {
    pub query: String,
    pub counts: bool,
}

impl Get {
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), counts: false }
    }

    pub fn with(&self, parameter: impl AsRef<str>) -> Self {
        Self { query: format!("{}&{}", self.query, parameter.as_ref()), counts: self.counts }
    }

    pub fn counted(self) -> Self {
        Self { counts: true, ..self }
    }

    fn statement(&self, statements: &StatementBuilder, who: Who) -> anyhow::Result<Statement> {
        let mut headers = HeaderMap::new();
        if self.counts {
            headers.insert("prefer", HeaderValue::from_static("count=exact"));
        }
        let (table, query) = self.query.split_once('?').context("a query")?;
        let parameters = query.split('&').filter_map(|part| part.split_once('='));
        let parameters = parameters
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        let uri: Uri = format!("/{table}?{}", parameters.collect::<Vec<_>>().join("&")).parse()?;
        let (role, claims) = who.caller();
        statements.get(&uri, &headers, role, &claims)
    }
}

/// Loads the schema cache with the launcher's settings.
///
/// # Errors
/// When the catalog can't be read.
pub async fn statements(client: &mut Client) -> anyhow::Result<StatementBuilder> {
    let settings =
        [("PGRST_DB_SCHEMAS", "public"), ("PGRST_DB_ANON_ROLE", "anon"), ("PGRST_DB_MAX_ROWS", "1000")];
    let env: Env = settings.into_iter().collect();
    StatementBuilder::load(Config::from_env(&env)?, client).await
}

pub struct Reader {
    client: Client,
    who: Who,
    /// Where Linux reports how long the server process waited for a CPU.
    schedule: String,
    prepared: HashMap<String, String>,
}

/// The settings of the gateway's login role, except timeouts.
const LOGIN_SETTINGS: &str = "select setting from pg_catalog.pg_db_role_setting, unnest(setconfig) as setting \
    where setrole = 'authenticator'::regrole and setdatabase = 0 and setting !~ 'timeout'";

/// # Errors
/// When the database is unreachable.
pub async fn connect(url: &str) -> anyhow::Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("the database")?;
    tokio::spawn(connection);
    client.batch_execute(PIN).await?;
    Ok(client)
}

impl Reader {
    /// # Errors
    /// When the database is unreachable.
    pub async fn connect(url: &str, who: Who) -> anyhow::Result<Self> {
        let client = connect(url).await?;
        for row in client.query(LOGIN_SETTINGS, &[]).await? {
            let setting: String = row.try_get(0)?;
            if let Some((name, value)) = setting.split_once('=') {
                client.execute("select set_config($1, $2, false)", &[&name, &value]).await?;
            }
        }
        let pid: i32 = client.query_one("select pg_backend_pid()", &[]).await?.try_get(0)?;
        Ok(Self { client, who, schedule: format!("/proc/{pid}/schedstat"), prepared: HashMap::new() })
    }

    /// Milliseconds of planning and execution, without the time in which other programs had the cores. The server measures,
    /// so client and network are not included.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn time(&mut self, statements: &StatementBuilder, get: &Get) -> anyhow::Result<f64> {
        let before = self.queued();
        let plan = self
            .explain(statements, get, "analyze, timing off, buffers off, summary on, format json")
            .await?;
        let queued = self.queued() - before;
        let plan: Value = serde_json::from_str(&plan)?;
        let part = |name: &str| plan[0][name].as_f64().with_context(|| format!("a plan without {name}"));
        Ok((part("Planning Time")? + part("Execution Time")? - queued).max(0.0))
    }

    /// The plan. The statement is prepared once per connection, as the gateway does, then executed with other values.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn explain(
        &mut self,
        statements: &StatementBuilder,
        get: &Get,
        how: &str,
    ) -> anyhow::Result<String> {
        let statement = get.statement(statements, self.who)?;
        self.client.batch_execute(&format!("{}; {}", statement.begin, statement.settings)).await?;
        let name = match self.prepared.get(&statement.text) {
            Some(known) => known.clone(),
            None => {
                let name = format!("s{}", self.prepared.len());
                self.client.batch_execute(&format!("prepare {name} as {}", statement.text)).await?;
                self.prepared.insert(statement.text.clone(), name.clone());
                name
            }
        };
        let explain = format!("explain ({how}) execute {name}{}", statement.arguments);
        let rows = self.client.simple_query(&explain).await.with_context(|| get.query.clone())?;
        self.client.batch_execute("commit").await?;
        let lines = rows.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Milliseconds, or 0 if the system does not report it.
    fn queued(&self) -> f64 {
        let text = fs::read_to_string(&self.schedule).unwrap_or_default();
        let nanoseconds = text.split_whitespace().nth(1).and_then(|text| text.parse::<f64>().ok());
        nanoseconds.unwrap_or_default() / 1e6
    }
}
