//! GRANT and REVOKE statements.

use super::{Action, left_out, refuse};
use crate::import::schemas::{Origin, Place, Role};
use crate::import::tokens::Reader;

/// Kinds of objects that a statement can name. Without a kind, the object is a table.
const KINDS: [&str; 8] =
    ["table", "sequence", "function", "procedure", "routine", "type", "domain", "schema"];
/// Kinds whose privileges are not imported.
const OTHERS: [&str; 7] = ["foreign", "language", "database", "large", "tablespace", "parameter", "all"];

/// `direction`: the word before the role.
pub fn classify(reader: &mut Reader<'_>, direction: &str, origin: Origin) -> Action {
    let mut ahead = reader.clone();
    if !ahead.until("on") {
        let who = reader.until(direction).then(|| reader.plain_name()).flatten().unwrap_or_default();
        return match origin.role(&who) {
            Role::Platform | Role::Known => Action::Nothing,
            Role::Unknown => left_out("role", who, "left out: roles are not imported"),
        };
    }
    let mut reader = ahead;
    if OTHERS.iter().any(|kind| reader.words(kind)) {
        return Action::Nothing;
    }
    let kind = KINDS.into_iter().find(|kind| reader.words(kind));
    let is_schema = kind == Some("schema");
    let on = match is_schema {
        true => reader.plain_name(),
        false => match reader.name() {
            Some(name) if !origin.is_own(&name) => {
                let to_visitors = origin == Origin::Backup
                    && name.schema == "extensions"
                    && direction == "to"
                    && reader.until(direction)
                    && reader.words("anon");
                return if to_visitors { Action::Exposed(name) } else { Action::Nothing };
            }
            name => name.map(|name| name.to_string()),
        },
    };
    let Some(on) = on else { return refuse("the privilege is not understood") };
    if is_schema && (on == "public" || origin.place(&on) != Place::Own) {
        return Action::Nothing;
    }
    if !reader.until(direction) {
        return refuse("the privilege is not understood");
    }
    let who = reader.plain_name().unwrap_or_default();
    if reader.words(",") {
        return refuse("a privilege of several roles is not understood");
    }
    match origin.role(&who) {
        Role::Known => Action::Run { creates: None },
        Role::Platform => Action::Nothing,
        Role::Unknown if who == "supabase_auth_admin" => {
            left_out("hook", on, "left out: hooks of the auth server are not supported")
        }
        Role::Unknown => left_out("privilege", format!("{who} on {on}"), "left out: there is no such role"),
    }
}
