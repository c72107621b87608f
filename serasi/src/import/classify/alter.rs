//! ALTER statements.

use super::{Action, left_out, refuse};
use crate::import::schemas::{Origin, Staged};
use crate::import::tokens::{Name, Reader};

const KINDS: [&str; 15] = [
    "table",
    "sequence",
    "view",
    "materialized view",
    "index",
    "type",
    "domain",
    "function",
    "procedure",
    "aggregate",
    "statistics",
    "collation",
    "text search configuration",
    "text search dictionary",
    "foreign table",
];

/// Kinds that are not imported. Their CREATE statement adds them to the report.
const LISTED: [&str; 8] = [
    "event trigger",
    "schema",
    "extension",
    "server",
    "subscription",
    "language",
    "large object",
    "operator",
];

pub fn classify(sql: &str, reader: &mut Reader<'_>, origin: Origin) -> Action {
    let mut owner = Reader::new(sql);
    if owner.until("owner") && owner.words("to") {
        return Action::Nothing;
    }
    if let Some(left) = of_the_server(reader) {
        return left;
    }
    if LISTED.iter().any(|kind| reader.words(kind)) {
        return Action::Nothing;
    }
    let Some(kind) = KINDS.into_iter().find(|kind| reader.words(kind)) else {
        return refuse("pg_dump writes no such ALTER statement, so it is not run");
    };
    reader.words("if exists");
    reader.words("only");
    let Some(name) = reader.name() else { return refuse("a name without a schema is not understood") };
    if let Some(action) = state_of_trigger(reader, &name, origin) {
        return action;
    }
    if !origin.is_own(&name) || kind == "foreign table" {
        return Action::Nothing;
    }
    if reader.words("enable row level security") {
        return Action::Secure(name);
    }
    if reader.words("force row level security") {
        return Action::Force(name);
    }
    let references = reader.clone().until("references");
    let triggers = ["enable", "disable"].iter().any(|verb| reader.words(verb));
    if references || triggers { Action::Later } else { Action::Run { creates: None } }
}

/// Enables or disables a trigger on one of Serasi's tables.
fn state_of_trigger(reader: &mut Reader<'_>, table: &Name, origin: Origin) -> Option<Action> {
    if origin != Origin::Backup || Staged::of(table).is_none() {
        return None;
    }
    let mut ahead = reader.clone();
    let states = ["disable trigger", "enable always trigger", "enable replica trigger"];
    let name = states.iter().any(|state| ahead.words(state)).then(|| ahead.plain_name()).flatten()?;
    Some(Action::OnOurTable { kind: "state of a trigger", name, table: table.clone(), function: None })
}

/// Settings of the server and of roles.
fn of_the_server(reader: &mut Reader<'_>) -> Option<Action> {
    if reader.words("default privileges") {
        let why = "left out: grant privileges on each new table when you create it";
        return Some(left_out("default privileges", "of new objects".into(), why));
    }
    if reader.words("publication") {
        let name = reader.plain_name().unwrap_or_default();
        return Some(left_out("publication", name, "left out: realtime is not supported"));
    }
    if ["role", "user", "group"].iter().any(|kind| reader.words(kind)) {
        let name = reader.plain_name().unwrap_or_default();
        return Some(left_out("role", name, "left out: roles and their settings are not imported"));
    }
    let kind = ["database", "system"].into_iter().find(|kind| reader.words(kind))?;
    Some(left_out("setting", kind.into(), "left out: settings of the server are not imported"))
}
