//! BEGIN and the transaction-local settings of a request.

use axum::http::{HeaderMap, header};
use serde_json::{Map, Value, json};

use super::fragment::{Sql, quoted};
use crate::auth::Caller;
use crate::config::Config;
use crate::plan::Plan;
use crate::plan::mutate::{Conflict, MutatePlan};
use crate::request::Request;
use crate::schema_cache::roles::RoleSettings;

/// Read-only plans run in a READ ONLY transaction.
pub fn is_read_only(plan: &Plan<'_>, request: &Request) -> bool {
    match plan {
        Plan::Mutate { .. } => false,
        Plan::Call { routine, .. } => !request.is_post() || !routine.is_volatile(),
        Plan::Read { .. } | Plan::Inspect | Plan::Info { .. } => true,
    }
}

pub fn begin(plan: &Plan<'_>, request: &Request, caller: &Caller, roles: &RoleSettings) -> String {
    let own = match plan {
        Plan::Call { routine, .. } => routine.isolation_level(),
        _ => None,
    };
    let isolation = own.or_else(|| roles.isolation.get(&*caller.role).map(String::as_str));
    let isolation = match isolation.map(str::to_ascii_lowercase).as_deref() {
        Some("repeatable read") => "REPEATABLE READ",
        Some("serializable") => "SERIALIZABLE",
        _ => "READ COMMITTED",
    };
    if is_read_only(plan, request) {
        return format!("BEGIN ISOLATION LEVEL {isolation} READ ONLY");
    }
    let begin = format!("BEGIN ISOLATION LEVEL {isolation} READ WRITE");
    match request.client_address {
        // For triggers that rate-limit clients. It is not part of the settings statement, because reads
        // share the text of that one.
        Some(address) => format!("{begin}; SET LOCAL request.client_address = '{address}'"),
        None => begin,
    }
}

/// One `select` with all settings. The role's own settings come before the role itself, which might not be
/// allowed to set them.
pub fn settings(
    plan: &Plan<'_>,
    request: &Request,
    caller: &Caller,
    config: &Config,
    roles: &RoleSettings,
) -> Sql {
    let mut sql = Sql::default();
    let mut set = |name: &str, value: &str| {
        sql.push(if sql.params.is_empty() { "select set_config(" } else { ", set_config(" });
        sql.value(name).push(", ").value(value).push(", true)");
    };
    set("search_path", &search_path(request, config));
    for (name, value) in roles.settings.get(&*caller.role).into_iter().flatten() {
        set(name, value);
    }
    set("role", &caller.role);
    set("request.jwt.claims", &caller.claims);
    set("request.method", request.method.as_str());
    set("request.path", &request.path);
    set("request.headers", &headers(&request.headers));
    set("request.cookies", &cookies(&request.headers));
    if let Some(zone) = &request.preferences.timezone {
        set("timezone", zone);
    }
    if let Plan::Call { routine, .. } = plan {
        for (name, value) in
            routine.settings.iter().filter(|(name, _)| name != "default_transaction_isolation")
        {
            set(name, value);
        }
    }
    if let Plan::Mutate { mutation: MutatePlan::Insert(insert), .. } = plan
        && insert.by_trigger
    {
        // Set it even without a resolution, so that no earlier value remains.
        set("request.on_conflict", &insert.conflict.as_ref().map(on_conflict).unwrap_or_default());
    }
    for (name, value) in &config.database.app_settings {
        set(name, value);
    }
    sql
}

pub fn pre_request(config: &Config) -> Option<String> {
    let (schema, function) = config.database.pre_request.as_ref()?;
    Some(format!("select {}.{}()", quoted(schema), quoted(function)))
}

/// The conflict resolution, for triggers that insert into a view.
fn on_conflict(conflict: &Conflict) -> String {
    json!({ "resolution": conflict.resolution.name(), "columns": conflict.columns }).to_string()
}

fn search_path(request: &Request, config: &Config) -> String {
    let schemas = std::iter::once(&request.schema).chain(&config.database.extra_search_path);
    schemas.map(|schema| quoted(schema)).collect::<Vec<_>>().join(", ")
}

/// All headers except cookies as one JSON object, because setting names can't contain dashes.
fn headers(headers: &HeaderMap) -> String {
    let shown = headers.iter().filter(|(name, _)| *name != header::COOKIE);
    let object: Map<String, Value> = shown
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.into())))
        .collect();
    Value::Object(object).to_string()
}

fn cookies(headers: &HeaderMap) -> String {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let object: Map<String, Value> =
        pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('"').into())).collect();
    Value::Object(object).to_string()
}
