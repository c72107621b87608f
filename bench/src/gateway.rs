//! The requests whose SQL is measured. The gateway's own parser and planner build it, so the benchmark always
//! measures the SQL that the gateway currently sends.

use std::fmt::Write;

use axum::http::{HeaderMap, HeaderValue, Uri};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use platform::env::Env;
use rest_gateway::Config;
use rest_gateway::statements::{Statement, StatementBuilder};
use tokio_postgres::Client;

/// Loads the schema cache with the launcher's settings.
///
/// # Errors
/// When the catalog can't be read.
pub async fn load(client: &mut Client) -> anyhow::Result<StatementBuilder> {
    let env: Env =
        [("PGRST_DB_SCHEMAS", "public"), ("PGRST_DB_ANON_ROLE", "anon"), ("PGRST_DB_MAX_ROWS", "1000")]
            .into_iter()
            .collect();
    StatementBuilder::load(Config::from_env(&env)?, client).await
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

    /// The SQL of this request for a role with these claims.
    ///
    /// # Errors
    /// When the gateway rejects the request.
    pub fn statement(
        &self,
        statements: &StatementBuilder,
        role: &str,
        claims: &str,
    ) -> anyhow::Result<Statement> {
        let mut headers = HeaderMap::new();
        if self.counts {
            headers.insert("prefer", HeaderValue::from_static("count=exact"));
        }
        statements.get(&self.uri()?, &headers, role, claims)
    }

    /// A readable form without the common parameters: `influencers?location=ilike.%kuch%&…`.
    pub fn shown(&self) -> String {
        let own = self.parameters.iter().filter(|(name, _)| !["select", "order", "limit"].contains(name));
        let parts: Vec<String> = own.map(|(name, value)| format!("{name}={value}")).collect();
        format!("{}?{}", self.table, parts.join("&"))
    }

    fn uri(&self) -> anyhow::Result<Uri> {
        let mut uri = format!("/{}", self.table);
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            uri.push(if index == 0 { '?' } else { '&' });
            let _ = write!(uri, "{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        Ok(uri.parse()?)
    }
}
