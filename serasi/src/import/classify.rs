//! Decides what happens to each statement of a dump. Only kinds of statements that pg_dump writes are
//! accepted, because anyone may have edited the dump.

mod alter;
mod create;
mod grants;
mod rows;

use super::schemas::{Origin, Place, Staged};
use super::tokens::{Name, Reader};

/// The comment on imported policies, in quotes.
pub const IMPORTED: &str = "'imported by serasi'";

#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Skip it: it sets up a session, names an owner, or is about an object of the platform.
    Nothing,
    /// Run it immediately. `creates`: a name that must not be used yet.
    Run {
        creates: Option<Name>,
    },
    /// Run it when all rows are loaded.
    Later,
    /// Run it immediately: it enables row security on one of the project's tables.
    Secure(Name),
    /// Run it immediately: it makes row security apply to the owner of one of the project's tables.
    Force(Name),
    /// A policy or trigger on one of Serasi's tables: run it later, as the table's owner.
    OnOurTable {
        kind: &'static str,
        name: String,
        table: Name,
        function: Option<Name>,
    },
    /// The columns of a table whose rows are imported.
    Columns(Staged, Vec<String>),
    Rows(Rows),
    Extension(Name),
    /// Grant it later: the API's roles may call this function of an extension.
    Exposed(Name),
    /// Remember it: this policy on a table of the storage service was imported.
    Marked(Name, String),
    /// Skip it: it creates one of Serasi's objects, which already exists.
    Ours(Name),
    /// Report that it is not imported.
    LeaveOut {
        kind: &'static str,
        name: String,
        why: &'static str,
    },
    /// The dump can't be imported.
    Refuse(String),
}

#[derive(Debug, PartialEq, Eq)]
pub struct Rows {
    pub table: Name,
    pub form: Form,
    pub columns: Option<Vec<String>>,
    /// Where the statement continues after the table and its columns.
    pub rest: usize,
    pub to: Destination,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The rows follow the statement.
    Copy,
    /// The number of rows in the statement.
    Insert(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Own,
    Staged(Staged),
    Nowhere,
}

pub fn classify(sql: &str, origin: Origin) -> Action {
    let mut reader = Reader::new(sql);
    let Some(verb) = reader.token() else { return Action::Nothing };
    match verb.text.to_ascii_lowercase().as_str() {
        "set" if reader.words("client_encoding") && !sql.to_ascii_lowercase().contains("utf8") => {
            refuse("the dump is not in UTF-8: make it with --encoding=UTF8")
        }
        "set" | "reset" => Action::Nothing,
        "select" => select(&mut reader, origin),
        "create" => create::classify(sql, &mut reader, origin),
        "alter" => alter::classify(sql, &mut reader, origin),
        "comment" => comment(&mut reader, origin),
        "grant" => grants::classify(&mut reader, "to", origin),
        "revoke" => grants::classify(&mut reader, "from", origin),
        "copy" => rows::copy(&mut reader, origin),
        "insert" => rows::insert(&mut reader, origin),
        "refresh" => match (reader.words("materialized view"), reader.name()) {
            (true, Some(name)) if origin.is_own(&name) => Action::Later,
            _ => Action::Nothing,
        },
        "security" => Action::Nothing,
        "drop" => refuse("the dump drops objects: make it without --clean"),
        other => refuse(&format!("pg_dump writes no {} statement, so it is not run", other.to_uppercase())),
    }
}

fn refuse(reason: &str) -> Action {
    Action::Refuse(reason.to_owned())
}

fn left_out(kind: &'static str, name: String, why: &'static str) -> Action {
    Action::LeaveOut { kind, name, why }
}

/// pg_dump sets sequences with a query. No other query is run.
fn select(reader: &mut Reader<'_>, origin: Origin) -> Action {
    let refusal = "pg_dump writes no such query, so it is not run";
    if !reader.words("pg_catalog .") {
        return refuse(refusal);
    }
    if reader.words("set_config (") {
        return Action::Nothing;
    }
    if reader.peek().is_some_and(|token| token.text.starts_with("lo")) {
        return left_out("large object", "of a table".into(), "left out: large objects are not supported");
    }
    if !reader.words("setval (") {
        return refuse(refusal);
    }
    let name = reader.token().map(|token| token.text.trim_matches('\'').replace("''", "'"));
    let named = name.as_deref().and_then(|name| Reader::new(name).name());
    let is_plain = reader.words(",")
        && reader.token().is_some_and(|value| value.text.bytes().all(|byte| byte.is_ascii_digit()))
        && reader.words(",")
        && (reader.words("true") || reader.words("false"))
        && reader.words(")")
        && reader.peek().is_none();
    match named {
        Some(name) if is_plain && origin.is_own(&name) => Action::Later,
        Some(_) if is_plain => Action::Nothing,
        _ => refuse(refusal),
    }
}

fn comment(reader: &mut Reader<'_>, origin: Origin) -> Action {
    if !reader.words("on") {
        return refuse("the statement is not understood");
    }
    if origin == Origin::Backup
        && let Some((table, policy)) = imported_policy(&mut reader.clone())
    {
        return Action::Marked(table, policy);
    }
    let is_of_table = ["policy", "trigger", "constraint", "rule"].iter().any(|kind| reader.words(kind));
    if is_of_table {
        reader.until("on");
        reader.words("domain");
    } else {
        if reader.words("schema") {
            let name = reader.plain_name().unwrap_or_default();
            let is_own = name != "public" && origin.place(&name) == Place::Own;
            return if is_own { Action::Later } else { Action::Nothing };
        }
        for kind in ["extension", "database", "event trigger", "publication", "server", "role", "language"] {
            if reader.words(kind) {
                return Action::Nothing;
            }
        }
        let _ =
            reader.words("materialized view") || reader.words("foreign table") || reader.token().is_some();
    }
    match reader.name() {
        Some(name) if origin.is_own(&name) => Action::Later,
        _ => Action::Nothing,
    }
}

/// Whether policies of a project on this table are imported.
fn has_imported_policies(table: &Name) -> bool {
    table.schema == "storage" && ["objects", "buckets"].contains(&table.name.as_str())
}

/// The policy that the comment marks as imported, and its table.
fn imported_policy(reader: &mut Reader<'_>) -> Option<(Name, String)> {
    let policy = reader.words("policy").then(|| reader.plain_name()).flatten()?;
    let table = reader.words("on").then(|| reader.name()).flatten()?;
    let is_marked = has_imported_policies(&table) && reader.words("is") && reader.token()?.text == IMPORTED;
    is_marked.then_some((table, policy))
}

#[cfg(test)]
mod tests;
