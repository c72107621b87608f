//! The beginning of a transaction, and the transaction-local settings of a request.

use axum::http::{HeaderMap, header};
use serde_json::{Map, Value, json};

use super::fragment::{Sql, quoted};
use crate::auth::Caller;
use crate::config::Config;
use crate::plan::Plan;
use crate::plan::mutate::Conflict;
use crate::request::preferences::{self, RESOLUTIONS};
use crate::request::{Http, Request};
use crate::schema_cache::roles::RoleSettings;

pub const BEGIN_READ_ONLY: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY";

/// Read-only plans run in a READ ONLY transaction.
pub fn is_read_only(plan: &Plan<'_>, request: &Request) -> bool {
    match plan {
        Plan::Mutate { .. } => false,
        Plan::Call { routine, .. } => !request.is_post() || !routine.is_volatile(),
        Plan::Read { .. } | Plan::Inspect | Plan::Info { .. } => true,
    }
}

/// Reads, and calls of functions that can't write.
pub fn may_use_replica(plan: &Plan<'_>, request: &Request) -> bool {
    match plan {
        Plan::Call { routine, .. } => !request.is_post() && !routine.is_volatile(),
        Plan::Read { .. } | Plan::Inspect => true,
        Plan::Mutate { .. } | Plan::Info { .. } => false,
    }
}

/// The statement that begins the transaction. Reads with the default isolation level need none: the statements before
/// a sync are one transaction, which the settings make read-only.
pub fn begin(plan: &Plan<'_>, request: &Request, caller: &Caller, roles: &RoleSettings) -> Option<String> {
    let own = match plan {
        Plan::Call { routine, .. } => routine.isolation_level(),
        _ => None,
    };
    let isolation = own.or_else(|| roles.isolation.get(&*caller.role).map(String::as_str));
    let isolation = match isolation.map(str::to_ascii_lowercase).as_deref() {
        Some("repeatable read") => "REPEATABLE READ",
        Some("serializable") => "SERIALIZABLE",
        _ if is_read_only(plan, request) => return None,
        _ => "READ COMMITTED",
    };
    let access = if is_read_only(plan, request) { "READ ONLY" } else { "READ WRITE" };
    Some(format!("BEGIN ISOLATION LEVEL {isolation} {access}"))
}

/// One `select` that sets everything. The role's own settings come before the role, which might not be allowed to
/// change them.
pub fn settings(
    plan: &Plan<'_>,
    request: &Request,
    http: Http<'_>,
    caller: &Caller,
    config: &Config,
    roles: &RoleSettings,
    needs_custom_plan: bool,
) -> Sql {
    let mut settings = Settings::new();
    settings.set("search_path", search_path(request, config));
    if is_read_only(plan, request) {
        settings.set_constant("transaction_read_only", "on");
    }
    if needs_custom_plan {
        settings.set_constant("plan_cache_mode", "force_custom_plan");
    }
    settings.set_all(roles.settings.get(&*caller.role).into_iter().flatten());
    settings.set("role", &*caller.role);
    settings.set("request.jwt.claims", &*caller.claims);
    settings.set_request(plan, request, http);
    if let Some(zone) = &request.preferences.timezone {
        settings.set("timezone", zone.as_str());
    }
    settings.set_for_plan(plan);
    settings.set_all(&config.database.app_settings);
    settings.0
}

/// The names are part of the text, so that few different texts occur and are prepared.
struct Settings(Sql);

/// The settings of most requests fit.
const USUAL_TEXT: usize = 1024;
const USUAL_PARAMS: usize = 12;

impl Settings {
    fn new() -> Self {
        Self(Sql { text: String::with_capacity(USUAL_TEXT), params: Vec::with_capacity(USUAL_PARAMS) })
    }

    fn set(&mut self, name: &str, value: impl Into<String>) {
        self.name(name).value(value).push(", true)");
    }

    fn set_constant(&mut self, name: &str, value: &str) {
        self.name(name).literal(value).push(", true)");
    }

    fn set_all<'s>(&mut self, settings: impl IntoIterator<Item = &'s (String, String)>) {
        for (name, value) in settings {
            self.set(name, value.as_str());
        }
    }

    /// The request, for policies, triggers and functions.
    fn set_request(&mut self, plan: &Plan<'_>, request: &Request, http: Http<'_>) {
        self.set("request.method", request.method.as_str());
        self.set("request.path", request.path.as_str());
        self.set("request.headers", headers(http.headers));
        self.set("request.cookies", cookies(http.headers));
        if let (false, Some(address)) = (is_read_only(plan, request), http.client_address) {
            // Used by triggers that rate-limit clients.
            self.set("request.client_address", address.to_string());
        }
    }

    /// The settings of the called function, and the conflict resolution for a trigger.
    fn set_for_plan(&mut self, plan: &Plan<'_>) {
        match plan {
            Plan::Call { routine, .. } => self
                .set_all(routine.settings.iter().filter(|(name, _)| name != "default_transaction_isolation")),
            Plan::Mutate { mutation, .. } => {
                // Set it even without a resolution, so that no earlier value remains.
                if let Some(insert) = mutation.insert().filter(|insert| insert.by_trigger) {
                    let resolution = insert.conflict.as_ref().map(on_conflict).unwrap_or_default();
                    self.set("request.on_conflict", resolution);
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, name: &str) -> &mut Sql {
        let start = if self.0.text.is_empty() { "select set_config(" } else { ", set_config(" };
        self.0.push(start).literal(name).push(", ")
    }
}

pub fn pre_request(config: &Config) -> Option<String> {
    let (schema, function) = config.database.pre_request.as_ref()?;
    let schema = schema.as_ref().map(|schema| format!("{}.", quoted(schema))).unwrap_or_default();
    Some(format!("select {schema}{}()", quoted(function)))
}

/// The conflict resolution, for triggers that insert into a view.
fn on_conflict(conflict: &Conflict) -> String {
    json!({ "resolution": preferences::name(&conflict.resolution, RESOLUTIONS), "columns": conflict.columns })
        .to_string()
}

fn search_path(request: &Request, config: &Config) -> String {
    // A schema may occur twice, as in PostgREST. Functions can read this setting.
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
