//! A reader with its own connection, because cached plans belong to the role they were made for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::Context;
use platform::database::PIN;
use rest_gateway::statements::{Statement, StatementBuilder};
use serde::Serialize;
use serde_json::{Value, json};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use crate::gateway::Get;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    Visitor,
    /// Row-level security is forced on the owner too, but its policy allows all rows.
    Owner,
    /// Row-level security does not apply.
    Superuser,
    /// These two accounts come from `admin/staff.sql`.
    Admin,
    Superadmin,
    /// These two come from `marketplace/people.sql`.
    BusyInfluencer,
    BusyAgency,
}

impl Who {
    pub const ALL: [Self; 3] = [Self::Visitor, Self::Owner, Self::Superuser];

    fn role(self) -> &'static str {
        match self {
            Self::Visitor => "anon",
            Self::Owner => "serasi_owner",
            Self::Superuser => "none",
            Self::Admin | Self::Superadmin | Self::BusyInfluencer | Self::BusyAgency => "authenticated",
        }
    }

    /// The JWT claims.
    fn claims(self) -> String {
        let role = self.role();
        match self {
            Self::Visitor | Self::Owner | Self::Superuser => json!({ "role": role }),
            Self::Admin => json!({ "role": role, "sub": "5e7bad00-0000-4000-8000-000000000001" }),
            Self::Superadmin => json!({ "role": role, "sub": "5e7bad00-0000-4000-8000-000000000002" }),
            Self::BusyInfluencer => json!({ "role": role, "sub": "5e7bad00-0000-4000-8000-000000000011" }),
            Self::BusyAgency => json!({ "role": role, "sub": "5e7bad00-0000-4000-8000-000000000012" }),
        }
        .to_string()
    }
}

pub struct Reader {
    pub who: Who,
    client: Client,
    backend: Backend,
    prepared: HashMap<String, String>,
}

/// Milliseconds of planning and execution in the server.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Timing {
    pub planning: f64,
    pub execution: f64,
    /// How long the server process meanwhile waited for a CPU, because of other programs.
    pub queued: f64,
}

impl Timing {
    pub fn total(self) -> f64 {
        self.planning + self.execution
    }

    pub fn without_queue(self) -> f64 {
        (self.total() - self.queued).max(0.0)
    }
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
        let backend = Backend::of(&client).await?;
        Ok(Self { who, client, backend, prepared: HashMap::new() })
    }

    /// Runs a request's statement like the gateway does: prepared once per connection, then executed with
    /// other values. The server measures the time, so client and network are not included.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn time(&mut self, statements: &StatementBuilder, get: &Get) -> anyhow::Result<Timing> {
        let statement = get.statement(statements, self.who.role(), &self.who.claims())?;
        let how = "analyze, timing off, buffers off, summary on, format json";
        let (plan, queued) = self.explain(&statement, how).await?;
        let plan: Value = serde_json::from_str(&plan)?;
        let part = |name: &str| plan[0][name].as_f64().with_context(|| format!("a plan without {name}"));
        Ok(Timing { planning: part("Planning Time")?, execution: part("Execution Time")?, queued })
    }

    /// The plan as text.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn plan(&mut self, statements: &StatementBuilder, get: &Get) -> anyhow::Result<String> {
        let statement = get.statement(statements, self.who.role(), &self.who.claims())?;
        Ok(self.explain(&statement, "analyze, buffers, settings").await?.0)
    }

    /// The plan, and how long the server waited for a CPU.
    async fn explain(&mut self, statement: &Statement, how: &str) -> anyhow::Result<(String, f64)> {
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
        let queued_before = self.backend.queued();
        let rows = self.client.simple_query(&explain).await.with_context(|| explain.clone())?;
        let queued = self.backend.queued() - queued_before;
        self.client.batch_execute("commit").await?;
        let lines = rows.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok((lines.collect::<Vec<_>>().join("\n"), queued))
    }
}

/// The server process of the connection, if it runs on this machine.
struct Backend(Option<PathBuf>);

impl Backend {
    async fn of(client: &Client) -> anyhow::Result<Self> {
        let row = client
            .query_one("select pg_backend_pid(), coalesce(host(inet_server_addr()), '127.0.0.1')", &[])
            .await?;
        let (pid, address): (i32, String) = (row.try_get(0)?, row.try_get(1)?);
        let is_here = address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        Ok(Self(is_here.then(|| format!("/proc/{pid}/schedstat").into())))
    }

    /// Milliseconds the process has waited for a CPU since its start, or 0 if the system does not report
    /// it.
    fn queued(&self) -> f64 {
        let text = self.0.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        let nanoseconds = text.and_then(|text| text.split_whitespace().nth(1)?.parse::<f64>().ok());
        nanoseconds.unwrap_or_default() / 1e6
    }
}
