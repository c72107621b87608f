//! CREATE statements.

use super::{Action, has_imported_policies, left_out, refuse};
use crate::import::schemas::{Origin, Place, Role, Staged};
use crate::import::tokens::{Kind, Name, Reader};

/// Kinds whose names have a schema. These names must not be used yet.
const NAMED: [&str; 15] = [
    "table",
    "sequence",
    "view",
    "materialized view",
    "type",
    "domain",
    "function",
    "procedure",
    "aggregate",
    "collation",
    "statistics",
    "text search configuration",
    "text search dictionary",
    "text search parser",
    "text search template",
];

/// Kinds whose names are not checked. PostgreSQL rejects them on Serasi's objects.
const UNNAMED: [&str; 4] = ["operator", "cast", "rule", "conversion"];

/// Kinds that are not imported.
const LEFT: [(&str, &str); 9] = [
    ("event trigger", "left out: event triggers are not supported"),
    ("publication", "left out: realtime is not supported"),
    ("subscription", "left out: replication is not imported"),
    ("foreign data wrapper", "left out: foreign data is not supported"),
    ("foreign table", "left out: foreign tables are not supported"),
    ("server", "left out: foreign data is not supported"),
    ("user mapping", "left out: foreign data is not supported"),
    ("language", "left out: only SQL and PL/pgSQL are available"),
    ("access method", "left out: access methods are not imported"),
];

/// Event triggers that Supabase adds to each project.
const PLATFORM_TRIGGERS: [&str; 6] = [
    "issue_graphql_placeholder",
    "issue_pg_cron_access",
    "issue_pg_graphql_access",
    "issue_pg_net_access",
    "pgrst_ddl_watch",
    "pgrst_drop_watch",
];

/// Serasi's event trigger.
const OUR_TRIGGER: &str = "secure_new_tables";

pub fn classify(sql: &str, reader: &mut Reader<'_>, origin: Origin) -> Action {
    reader.words("or replace");
    let _ = reader.words("unlogged") || reader.words("recursive") || reader.words("constraint");
    if reader.words("schema") {
        return schema(reader, origin);
    }
    if reader.words("extension") {
        return extension(reader, origin);
    }
    if reader.words("policy") {
        return policy(reader, origin);
    }
    if reader.words("trigger") {
        return trigger(reader, origin);
    }
    if reader.words("unique index") || reader.words("index") {
        let on = reader.until("on");
        reader.words("only");
        return match reader.name().filter(|_| on) {
            Some(table) if origin.is_own(&table) => Action::Run { creates: None },
            Some(_) => Action::Nothing,
            None => refuse("the index is not understood"),
        };
    }
    for kind in ["role", "user", "group", "tablespace", "database"] {
        if reader.words(kind) {
            let name = reader.plain_name().unwrap_or_default();
            return match origin.role(&name) {
                Role::Unknown => left_out("role", name, "left out: roles are not imported"),
                Role::Known | Role::Platform => Action::Nothing,
            };
        }
    }
    if let Some((kind, why)) = LEFT.into_iter().find(|(kind, _)| reader.words(kind)) {
        return not_imported(reader, kind, why, origin);
    }
    if UNNAMED.iter().any(|kind| reader.words(kind)) {
        return Action::Run { creates: None };
    }
    named(sql, reader, origin)
}

fn not_imported(reader: &mut Reader<'_>, kind: &'static str, why: &'static str, origin: Origin) -> Action {
    reader.words("if not exists");
    let name = reader.plain_name().unwrap_or_default();
    let is_platform = match origin {
        Origin::Supabase => PLATFORM_TRIGGERS.contains(&name.as_str()),
        Origin::Backup => name == OUR_TRIGGER,
    };
    let full =
        if reader.words(".") { format!("{name}.{}", reader.plain_name().unwrap_or_default()) } else { name };
    if is_platform { Action::Nothing } else { left_out(kind, full, why) }
}

fn named(sql: &str, reader: &mut Reader<'_>, origin: Origin) -> Action {
    let Some(kind) = NAMED.into_iter().find(|kind| reader.words(kind)) else {
        return refuse("pg_dump writes no such CREATE statement, so it is not run");
    };
    reader.words("if not exists");
    let Some(name) = reader.name() else { return refuse("a name without a schema is not understood") };
    if let Some(staged) = origin.staged(&name).filter(|_| kind == "table") {
        return Action::Columns(staged, columns(reader));
    }
    if !origin.is_own(&name) {
        return Action::Nothing;
    }
    // Functions in C load a library into the server, and other languages are not installed.
    let is_code = matches!(kind, "function" | "procedure");
    if is_code && language(sql).is_some_and(|language| !matches!(language.as_str(), "sql" | "plpgsql")) {
        return left_out("function", name.to_string(), "left out: only SQL and PL/pgSQL are available");
    }
    Action::Run { creates: Some(name) }
}

fn language(sql: &str) -> Option<String> {
    let mut reader = Reader::new(sql);
    let found = reader.until("language");
    let token = reader.token().filter(|_| found)?;
    match token.kind {
        Kind::Text => Some(token.text.trim_matches('\'').to_lowercase()),
        _ => token.name(),
    }
}

/// The names of a table's columns.
fn columns(reader: &mut Reader<'_>) -> Vec<String> {
    let mut columns = Vec::new();
    if !reader.words("(") {
        return columns;
    }
    let mut starts = true;
    let mut depth = 0_u32;
    while let Some(token) = reader.token() {
        // A quoted word is always a name.
        let is_rule =
            ["constraint", "primary", "unique", "check", "foreign"].iter().any(|word| token.is(word));
        if starts && !is_rule {
            columns.extend(token.name());
        }
        starts = depth == 0 && token.is(",");
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            if depth == 0 {
                break;
            }
            depth -= 1;
        }
    }
    columns
}

fn schema(reader: &mut Reader<'_>, origin: Origin) -> Action {
    reader.words("if not exists");
    let Some(name) = reader.plain_name() else { return refuse("the schema is not understood") };
    match origin.place(&name) {
        _ if name == "public" => Action::Nothing,
        Place::Platform => Action::Nothing,
        Place::Own | Place::Ours if reader.peek().is_none() => {
            Action::Run { creates: Some(Name { schema: name, name: String::new() }) }
        }
        Place::Own | Place::Ours => refuse("a schema with its objects in one statement is not understood"),
    }
}

fn extension(reader: &mut Reader<'_>, origin: Origin) -> Action {
    reader.words("if not exists");
    let Some(name) = reader.plain_name() else { return refuse("the extension is not understood") };
    let schema =
        if reader.words("with schema") || reader.words("schema") { reader.plain_name() } else { None };
    match origin.is_platform_extension(&name) {
        true => Action::Nothing,
        false => Action::Extension(Name { schema: schema.unwrap_or_else(|| "public".into()), name }),
    }
}

fn policy(reader: &mut Reader<'_>, origin: Origin) -> Action {
    let name = reader.plain_name().unwrap_or_default();
    let table = reader.words("on").then(|| reader.name()).flatten();
    let Some(table) = table else { return refuse("the policy is not understood") };
    let roles = roles(&mut reader.clone());
    let unknown = roles.iter().filter(|name| origin.role(name) != Role::Known).count();
    let full = format!("{name} on {table}");
    if unknown > 0 && unknown == roles.len() {
        return left_out("policy", full, "left out: it is for a role that does not exist here");
    }
    if unknown > 0 {
        return Action::Refuse(format!(
            "the policy {full} names a role that does not exist here: remove it from the policy"
        ));
    }
    if has_imported_policies(&table) {
        return Action::OnOurTable { kind: "policy", name, table, function: None };
    }
    if origin.is_own(&table) {
        return Action::Later;
    }
    left_out(
        "policy",
        full,
        "left out: of the platform's tables, only storage.objects and storage.buckets can have policies",
    )
}

fn roles(reader: &mut Reader<'_>) -> Vec<String> {
    let mut roles = Vec::new();
    while let Some(token) = reader.token() {
        if token.is("using") || token.is("with") {
            break;
        }
        if token.is("to") {
            roles.extend(reader.plain_name());
            while reader.words(",") {
                roles.extend(reader.plain_name());
            }
            break;
        }
    }
    roles
}

fn trigger(reader: &mut Reader<'_>, origin: Origin) -> Action {
    let name = reader.plain_name().unwrap_or_default();
    let table = reader.until("on").then(|| reader.name()).flatten();
    let executes = reader.until("execute") && (reader.words("function") || reader.words("procedure"));
    let function = executes.then(|| reader.name()).flatten();
    let (Some(table), Some(function)) = (table, function) else {
        return refuse("the trigger is not understood");
    };
    let full = format!("{name} on {table}");
    match (origin.is_own(&table), origin.is_own(&function)) {
        (true, true) => Action::Later,
        (true, false) if function.schema == "extensions" => Action::Later,
        (true, false) => {
            left_out("trigger", full, "left out: webhooks and functions of the platform are not supported")
        }
        (false, true) if Staged::of(&table).is_some() => {
            Action::OnOurTable { kind: "trigger", name, table, function: Some(function) }
        }
        (false, true) => left_out("trigger", full, "left out: it is on a table of the platform"),
        (false, false) => Action::Nothing,
    }
}
