//! Parses HTTP requests into types, without knowing the database.

pub mod booleans;
pub mod field;
pub mod filters;
pub mod order;
mod parse_error;
pub mod patterns;
pub mod payload;
pub mod preferences;
pub mod query_string;
pub mod range;
pub mod scanner;
pub mod select;
pub mod shape;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::net::IpAddr;

use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use bytes::Bytes;

use crate::config::Config;
use crate::config::openapi::OpenApiMode;
use crate::error_body::{ErrorBody, Rejection};
use crate::media::MediaType;
use payload::Payload;
use preferences::Preferences;
use query_string::QueryString;
use range::RowRange;

#[derive(Debug)]
pub struct Request {
    pub method: Method,
    pub path: String,
    pub target: Target,
    /// Name of the table or function.
    pub resource: String,
    pub action: Action,
    pub schema: String,
    pub schema_was_negotiated: bool,
    pub query: QueryString,
    pub range: RowRange,
    pub payload: Option<Payload>,
    /// Columns or parameters with values in the body.
    pub columns: BTreeSet<String>,
    pub preferences: Preferences,
    pub accept: Vec<MediaType>,
    pub content: MediaType,
}

/// The parts of an HTTP request that don't influence its plan.
#[derive(Clone, Copy)]
pub struct Http<'h> {
    pub headers: &'h HeaderMap,
    /// The query string as the client wrote it.
    pub query: &'h str,
    /// The client's address behind trusted proxies; `None` for in-process calls.
    pub client_address: Option<IpAddr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Root,
    Relation,
    Function,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Read,
    Create,
    Update,
    Upsert,
    Delete,
    Call,
    Inspect,
    Info,
}

impl Request {
    /// `path` is relative to the mount point.
    ///
    /// # Errors
    /// When the request is malformed or can't be served by any database.
    pub fn parse(
        config: &Config,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<Self, Rejection> {
        let path = uri.path();
        let (target, resource) = target(config, path)?;
        let (schema, schema_was_negotiated) = schema(config, headers, method)?;
        let action = action(target, method)?;
        let reads_function = action == Action::Call && method != Method::POST
            || action == Action::Info && target == Target::Function;
        let query = QueryString::parse(uri.query().unwrap_or_default(), reads_function)?;
        let range = range::top_level(method.as_str(), text(headers, "range"), query.range())?;
        let content = text(headers, "content-type").map_or(MediaType::Json, MediaType::parse);
        let (payload, columns) = read_payload(action, method, &content, &query, body)?;
        Ok(Self {
            method: method.clone(),
            path: path.to_owned(),
            target,
            resource,
            action,
            schema,
            schema_was_negotiated,
            query,
            range,
            payload,
            columns,
            preferences: Preferences::parse(texts(headers, "prefer"), config.database.tx_end.client_decides),
            accept: text(headers, header::ACCEPT.as_str())
                .map_or_else(|| vec![MediaType::Any], MediaType::parse_accept),
            content,
        })
    }

    pub fn is_head(&self) -> bool {
        self.method == Method::HEAD
    }

    pub fn is_post(&self) -> bool {
        self.method == Method::POST
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn texts<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok())
}

fn target(config: &Config, path: &str) -> Result<(Target, String), Rejection> {
    let parts: Vec<String> =
        path.split('/').filter(|part| !part.is_empty()).map(query_string::decode_path).collect();
    match parts.as_slice() {
        [] => match (&config.openapi.mode, &config.database.root_spec) {
            (OpenApiMode::Disabled, _) => {
                Err(ErrorBody::new(StatusCode::NOT_FOUND, "PGRST126", "Root endpoint metadata is disabled"))
            }
            (_, Some(function)) => Ok((Target::Function, function.clone())),
            (_, None) => Ok((Target::Root, String::new())),
        },
        [table] => Ok((Target::Relation, table.clone())),
        [rpc, function] if rpc == "rpc" => Ok((Target::Function, function.clone())),
        _ => {
            let message = "Invalid path specified in request URL";
            Err(ErrorBody::new(StatusCode::NOT_FOUND, "PGRST125", message))
        }
    }
}

/// Returns the requested schema, and whether the response has to name it.
fn schema(config: &Config, headers: &HeaderMap, method: &Method) -> Result<(String, bool), Rejection> {
    let writes = matches!(*method, Method::DELETE | Method::PATCH | Method::POST | Method::PUT);
    let requested = text(headers, if writes { "content-profile" } else { "accept-profile" });
    let exposed = &config.database.schemas;
    match requested {
        Some(schema) if exposed.iter().any(|name| name == schema) => Ok((schema.to_owned(), true)),
        Some(schema) => {
            let message = format!("Invalid schema: {schema}");
            let hint = format!("Only the following schemas are exposed: {}", exposed.join(", "));
            Err(ErrorBody::new(StatusCode::NOT_ACCEPTABLE, "PGRST106", message).hint(hint))
        }
        None => Ok((exposed.first().cloned().unwrap_or_default(), exposed.len() != 1)),
    }
}

fn action(target: Target, method: &Method) -> Result<Action, Rejection> {
    let not_allowed = |code, message| Err(ErrorBody::new(StatusCode::METHOD_NOT_ALLOWED, code, message));
    match (target, method.as_str()) {
        (_, "OPTIONS") => Ok(Action::Info),
        (Target::Function, "GET" | "HEAD" | "POST") => Ok(Action::Call),
        (Target::Function, other) => not_allowed("PGRST101", format!("Cannot use the {other} method on RPC")),
        (Target::Root, "GET" | "HEAD") => Ok(Action::Inspect),
        (Target::Relation, "GET" | "HEAD") => Ok(Action::Read),
        (Target::Relation, "POST") => Ok(Action::Create),
        (Target::Relation, "PATCH") => Ok(Action::Update),
        (Target::Relation, "PUT") => Ok(Action::Upsert),
        (Target::Relation, "DELETE") => Ok(Action::Delete),
        (_, other) => not_allowed("PGRST117", format!("Unsupported HTTP method: {other}")),
    }
}

fn read_payload(
    action: Action,
    method: &Method,
    content: &MediaType,
    query: &QueryString,
    body: Bytes,
) -> Result<(Option<Payload>, BTreeSet<String>), Rejection> {
    let has_body = match action {
        Action::Create | Action::Update | Action::Upsert => true,
        Action::Call => method == Method::POST,
        _ => false,
    };
    if !has_body {
        return Ok((None, BTreeSet::new()));
    }
    // A PUT replaces the whole row, so it can't select columns.
    let columns = if action == Action::Upsert { None } else { query.columns.as_ref() };
    let (payload, keys) = payload::read(body, content, columns, action == Action::Call)
        .map_err(|problem| ErrorBody::bad_request("PGRST102", problem))?;
    Ok((Some(payload), keys))
}
