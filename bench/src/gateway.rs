//! The gateway's own SQL. Requests pass through its parser and planner, so the benchmark always measures
//! the SQL that the gateway currently sends.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use bytes::Bytes;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use platform::env::Env;
use rest_gateway::Config;
use rest_gateway::auth::Caller;
use rest_gateway::plan;
use rest_gateway::query::fragment::{Param, Sql};
use rest_gateway::query::{statement, transaction};
use rest_gateway::request::{Http, Request};
use rest_gateway::schema_cache::SchemaCache;
use rest_gateway::schema_cache::load::{self, Visible};
use rest_gateway::schema_cache::roles::RoleSettings;
use tokio_postgres::Client;

pub struct Gateway {
    config: Config,
    cache: SchemaCache,
}

/// The transaction settings and the statement of a request.
#[derive(Clone)]
pub struct Statement {
    pub begin: String,
    pub settings: String,
    /// With placeholders.
    pub text: String,
    /// `('a', 'b')`, or an empty string.
    pub values: String,
}

impl Gateway {
    /// # Errors
    /// When the catalog can't be read.
    pub async fn load(client: &mut Client) -> anyhow::Result<Self> {
        // The launcher's settings.
        let env: Env =
            [("PGRST_DB_SCHEMAS", "public"), ("PGRST_DB_ANON_ROLE", "anon"), ("PGRST_DB_MAX_ROWS", "1000")]
                .into_iter()
                .collect();
        let config = Config::from_env(&env)?;
        let visible = Visible {
            schemas: &config.database.schemas,
            extra_search_path: &config.database.extra_search_path,
            hoisted_settings: &config.database.hoisted_settings,
        };
        let cache = load::load(client, &visible).await.context("the schema can't be read")?;
        Ok(Self { config, cache })
    }

    /// The statement of a GET as `role`. Leaves out the role's settings such as its timeout, because slow
    /// statements have to be measured, not canceled.
    ///
    /// # Errors
    /// When the gateway rejects the request.
    pub fn statement(&self, request: &Get, role: &str, claims: &str) -> anyhow::Result<Statement> {
        let uri: Uri = request.address().parse()?;
        let mut headers = HeaderMap::new();
        if request.counts {
            headers.insert("prefer", HeaderValue::from_static("count=exact"));
        }
        let request = Request::parse(&self.config, &Method::GET, &uri, &headers, Bytes::new())
            .map_err(|error| anyhow!("{uri}: {error:?}"))?;
        let plan =
            plan::plan(&request, &self.config, &self.cache).map_err(|error| anyhow!("{uri}: {error:?}"))?;
        let caller =
            Caller { role: Arc::from(role), claims: Arc::from(claims), authenticated: false, account: None };
        let none = RoleSettings::default();
        let max_rows = self.config.database.max_rows;
        let sql = statement::build(&plan, &request, max_rows).context("the request has no statement")?;
        let http = Http { headers: &headers, query: uri.query().unwrap_or_default(), client_address: None };
        let needs_custom_plan = plan::values::needs_custom_plan(&plan, &self.cache, max_rows);
        let settings =
            transaction::settings(&plan, &request, http, &caller, &self.config, &none, needs_custom_plan);
        Ok(Statement {
            // The gateway sends everything at once and needs no BEGIN; here one statement follows the other.
            begin: transaction::BEGIN_READ_ONLY.to_owned(),
            settings: inlined(&settings)?,
            values: arguments(&sql)?,
            text: sql.text,
        })
    }
}

/// A GET request for a list.
#[derive(Debug, Clone, Default)]
pub struct Get {
    pub table: &'static str,
    pub parameters: Vec<(&'static str, String)>,
    pub counts: bool,
}

impl Get {
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.parameters.push((name, value.into()));
        self
    }

    pub fn counted(mut self) -> Self {
        self.counts = true;
        self
    }

    /// A readable form without the common parameters: `influencers?location=ilike.%kuch%&…`.
    pub fn shown(&self) -> String {
        let own = self.parameters.iter().filter(|(name, _)| !["select", "order", "limit"].contains(name));
        let parts: Vec<String> = own.map(|(name, value)| format!("{name}={value}")).collect();
        format!("{}?{}", self.table, parts.join("&"))
    }

    fn address(&self) -> String {
        let mut address = format!("/{}", self.table);
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            address.push(if index == 0 { '?' } else { '&' });
            let _ = write!(address, "{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        address
    }
}

fn arguments(sql: &Sql) -> anyhow::Result<String> {
    let values = sql.params.iter().map(literal).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) })
}

/// Inlines the values of settings, which are never planned.
fn inlined(sql: &Sql) -> anyhow::Result<String> {
    let mut text = sql.text.clone();
    for (index, param) in sql.params.iter().enumerate().rev() {
        text = text.replace(&format!("${}", index + 1), &literal(param)?);
    }
    Ok(text)
}

fn literal(param: &Param) -> anyhow::Result<String> {
    match param {
        Param::Text(text) => Ok(format!("E'{}'", text.replace('\\', "\\\\").replace('\'', "''"))),
        Param::Json(_) | Param::Binary(_) => Err(anyhow!("only text parameters are supported")),
    }
}
