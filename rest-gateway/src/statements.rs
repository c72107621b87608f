//! The SQL that the gateway sends for a request, for benchmarks and query plans.

use anyhow::{Context, anyhow};
use axum::http::{HeaderMap, Method, Uri};
use bytes::Bytes;
use tokio_postgres::Client;

use crate::auth::Caller;
use crate::config::Config;
use crate::plan;
use crate::query::fragment::{Param, Sql};
use crate::query::{statement, transaction};
use crate::request::{Http, Request};
use crate::schema_cache::SchemaCache;
use crate::schema_cache::load;
use crate::schema_cache::roles::RoleSettings;

/// Builds the SQL of requests with the gateway's own parser and planner.
pub struct StatementBuilder {
    config: Config,
    cache: SchemaCache,
}

/// The SQL of one request. The statement is meant for `PREPARE` and `EXECUTE`, because the gateway prepares it
/// too.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Begins the transaction. The gateway needs no `BEGIN`, because it sends all statements at once.
    pub begin: String,
    /// Sets the transaction-local settings, such as the role.
    pub settings: String,
    /// The statement with placeholders.
    pub text: String,
    /// The arguments of `EXECUTE`: `(E'a', E'b')`, or nothing.
    pub arguments: String,
}

impl StatementBuilder {
    /// Loads the schema cache.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub async fn load(config: Config, client: &mut Client) -> anyhow::Result<Self> {
        let (cache, _) = load::load(client, &config.database).await.context("the schema can't be read")?;
        Ok(Self { config, cache })
    }

    /// Builds the SQL of a GET request that runs as `role` with these claims (a JSON object). The role's own
    /// settings, such as its timeout, are left out, so that slow statements can be measured.
    ///
    /// # Errors
    /// When the gateway rejects the request, or when it has parameters other than text.
    pub fn get(&self, uri: &Uri, headers: &HeaderMap, role: &str, claims: &str) -> anyhow::Result<Statement> {
        let Self { config, cache } = self;
        let request = Request::parse(config, &Method::GET, uri, headers, Bytes::new())
            .map_err(|error| anyhow!("{uri}: {error:?}"))?;
        let plan = plan::plan(&request, config, cache).map_err(|error| anyhow!("{uri}: {error:?}"))?;
        let max_rows = config.database.max_rows;
        let sql = statement::build(&plan, &request, max_rows).context("the request has no statement")?;
        let caller = Caller {
            role: role.into(),
            claims: claims.into(),
            authenticated: false,
            account: None,
            issued: None,
        };
        let http = Http { headers, query: uri.query().unwrap_or_default(), client_address: None };
        let needs_custom_plan = plan::custom_plan::is_needed(&plan, cache, max_rows);
        let roles = RoleSettings::default();
        let settings =
            transaction::settings(&plan, &request, http, &caller, config, &roles, needs_custom_plan);
        Ok(Statement {
            begin: transaction::BEGIN_READ_ONLY.to_owned(),
            settings: inlined(&settings)?,
            arguments: arguments(&sql)?,
            text: sql.text,
        })
    }
}

fn arguments(sql: &Sql) -> anyhow::Result<String> {
    let values = sql.params.iter().map(literal).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) })
}

/// Replaces the placeholders by their values.
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
