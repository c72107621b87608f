//! Requests in PostgREST's grammar. Resource, query, headers and body are drawn from the schema.

mod body;
mod filter;
mod headers;
mod select;

use super::dice::Dice;
use super::ground::{Ground, Table};
use super::request::{Caller, Request};
use super::values;

#[cfg(test)]
pub use filter::{MODIFIABLE, OPERATORS};
pub use headers::MEDIA_TYPES;
#[cfg(test)]
pub use headers::PREFERENCES;

/// Callers of the gateway, the common ones more often.
const CALLERS: &[Caller] = &[
    Caller::Nobody,
    Caller::Visitor,
    Caller::Visitor,
    Caller::Visitor,
    Caller::NoRole,
    Caller::Unapproved,
    Caller::Approved,
    Caller::Approved,
    Caller::Verified,
    Caller::Verified,
    Caller::Agency,
    Caller::Agency,
    Caller::Vendor,
    Caller::Admin,
    Caller::Admin,
    Caller::Superadmin,
    Caller::Superadmin,
    Caller::Service,
    Caller::Service,
    Caller::Service,
    Caller::Expired,
    Caller::Forged,
    Caller::Unsigned,
    Caller::UnknownRole,
    Caller::Garbage,
];

/// Query parameters, already percent-encoded.
#[derive(Default)]
pub struct Query(Vec<Vec<u8>>);

impl Query {
    pub fn add(&mut self, dice: &mut Dice, name: &str, value: &str) {
        let name = if dice.odd_one_in(60) { values::nasty(dice) } else { name.to_owned() };
        let part = [values::encoded(dice, &name), b"=".to_vec(), values::encoded(dice, value)].concat();
        // A repeated parameter, possibly with another value.
        if dice.odd_one_in(40) {
            self.0.push(part.clone());
        }
        self.0.push(part);
    }

    /// A parameter that must arrive unchanged.
    pub fn fixed(&mut self, part: String) {
        self.0.push(part.into_bytes());
    }

    fn joined(self) -> Vec<u8> {
        self.0.join(&b'&')
    }
}

/// One request to `/rest/v1`.
pub fn generate(dice: &mut Dice, ground: &Ground) -> Request {
    // A bad token is rejected before anything else.
    let end = if dice.is_calm() { CALLERS.len() - 5 } else { CALLERS.len() };
    let caller = CALLERS[dice.below(end)];
    match dice.below(100) {
        0 => odd_path(dice, caller),
        1..=2 => root(dice, caller),
        3..=16 if !ground.functions.is_empty() => call(dice, ground, caller),
        _ => on_table(dice, ground, caller),
    }
}

fn odd_path(dice: &mut Dice, caller: Caller) -> Request {
    const PATHS: &[&str] = &[
        "/rest/v1",
        "/rest/v1//",
        "/rest/v1/a/b",
        "/rest/v1/rpc",
        "/rest/v1/rpc/",
        "/rest/v1/rpc/a/b",
        "/rest/v1/%00",
        "/rest/v1/influencers/",
        "/rest/v1/%ff",
        "/rest/v1/..%2fauth",
        "/rest/v1/pg_catalog.pg_class",
        "/rest/v1/auth.users",
        "/rest/v1/INFLUENCERS",
        "/rest/v1/influencers%20",
        "/rest/v1/%e2%80%ae",
        "/rest/v1/./influencers",
        "/rest/v1/;",
    ];
    let method = dice.word(&["GET", "POST", "DELETE", "OPTIONS", "HEAD"]);
    Request::new(static_method(method), "/rest/v1/…", dice.word(PATHS), caller)
}

fn root(dice: &mut Dice, caller: Caller) -> Request {
    let method = static_method(dice.word(&["GET", "GET", "HEAD", "POST", "OPTIONS"]));
    let mut request = Request::new(method, "/rest/v1/", "/rest/v1/", caller);
    headers::reading(dice, &mut request);
    request
}

fn call(dice: &mut Dice, ground: &Ground, caller: Caller) -> Request {
    let function = dice.pick(&ground.functions);
    let method = static_method(
        dice.word(&["GET", "GET", "GET", "HEAD", "POST", "POST", "POST", "OPTIONS", "PATCH", "DELETE"]),
    );
    let mut query = Query::default();
    if method == "GET" || method == "HEAD" || dice.one_in(8) {
        for (name, kind) in &function.arguments {
            if dice.percent(90) {
                let value = values::of_type(dice, kind, &[]);
                query.add(dice, name, &value);
            }
        }
    }
    // The result of a function can be filtered and shaped like a table.
    let table = dice.pick(&ground.tables);
    if dice.percent(35) {
        shape(dice, ground, table, &mut query);
    }
    let target = target(&format!("/rest/v1/rpc/{}", name_of(dice, &function.name)), query);
    let mut request = Request::new(method, "/rest/v1/rpc/{function}", target, caller);
    profile(dice, "fuzz", &mut request);
    if method == "POST" {
        body::arguments(dice, &function.arguments, &mut request);
    }
    headers::reading(dice, &mut request);
    request
}

fn on_table(dice: &mut Dice, ground: &Ground, caller: Caller) -> Request {
    let table = dice.pick(&ground.tables);
    let method = static_method(dice.word(&[
        "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "POST", "PATCH",
        "PATCH", "PATCH", "PUT", "DELETE", "OPTIONS",
    ]));
    let method = if dice.odd_one_in(120) {
        static_method(dice.word(&["TRACE", "FOO", "get", "QUERY", "MERGE"]))
    } else {
        method
    };
    let mut query = Query::default();
    guard(dice, ground, table, method, caller, &mut query);
    match method {
        "PUT" => {
            let key = if table.has("id") {
                "id"
            } else {
                table.columns.first().map_or("id", |column| &column.name)
            };
            let pool = table.columns.iter().find(|column| column.name == key);
            let value =
                pool.map(|column| values::of_type(dice, &column.kind, &column.pool)).unwrap_or_default();
            query.add(dice, key, &format!("eq.{value}"));
        }
        "POST" => {}
        _ => {
            for _ in 0..dice.below(4) {
                filter::add(dice, table, &mut query);
            }
        }
    }
    shape(dice, ground, table, &mut query);
    let target = target(&format!("/rest/v1/{}", name_of(dice, &table.name)), query);
    let mut request = Request::new(method, "/rest/v1/{table}", target, caller);
    profile(dice, &table.schema, &mut request);
    if matches!(method, "POST" | "PATCH" | "PUT") || dice.odd_one_in(50) {
        body::rows(dice, table, &mut request);
        headers::writing(dice, &mut request);
    } else {
        headers::reading(dice, &mut request);
    }
    request
}

/// Keeps privileged callers from changing data that the run needs: demo accounts, and all rows together.
fn guard(dice: &mut Dice, ground: &Ground, table: &Table, method: &str, caller: Caller, query: &mut Query) {
    let owner = if table.name == "profiles" { "id" } else { "user_id" };
    let is_owned = table.has(owner);
    match method {
        "DELETE" if table.is_ours() => query.fixed(format!("id=eq.{}", dice.between(10, 60))),
        "DELETE" if caller.is_privileged() && is_owned => {
            query.fixed(format!(
                "{owner}=eq.{}",
                dice.text(&ground.expendable_ids, "5e7b0001-0000-4000-8000-000000000001")
            ));
        }
        "DELETE" if caller.is_privileged() && table.has("id") => {
            query.fixed("id=eq.5e7b0001-0000-4000-8000-000000000001".to_owned());
        }
        "PATCH" if caller.is_privileged() && is_owned => {
            query.fixed(format!("{owner}=gte.5e7b0000-0000-4000-8000-000000000000"));
            query.fixed(format!("{owner}=lt.5e7c0000-0000-4000-8000-000000000000"));
        }
        _ => {}
    }
}

/// select, order, limit, offset, columns, on_conflict.
fn shape(dice: &mut Dice, ground: &Ground, table: &Table, query: &mut Query) {
    if dice.percent(60) {
        let text = select::list(dice, ground, table, 0);
        query.add(dice, "select", &text);
    }
    if dice.percent(30) {
        let text = select::order(dice, table);
        query.add(dice, "order", &text);
    }
    let embed = table.embeds.first().map_or("x", |embed| embed.split('!').next().unwrap_or("x"));
    for name in ["limit", "offset"] {
        if dice.percent(20) {
            let value = if dice.percent(75) { dice.below(20).to_string() } else { values::nasty(dice) };
            let name = if dice.one_in(5) { format!("{embed}.{name}") } else { name.to_owned() };
            query.add(dice, &name, &value);
        }
    }
    if dice.one_in(8) {
        let text = select::names(dice, table);
        query.add(dice, "columns", &text);
    }
    if dice.one_in(10) {
        let text = select::names(dice, table);
        query.add(dice, "on_conflict", &text);
    }
}

fn profile(dice: &mut Dice, schema: &str, request: &mut Request) {
    let name = if matches!(request.method, "GET" | "HEAD") { "accept-profile" } else { "content-profile" };
    if schema != "public" || dice.odd_one_in(40) {
        let value = if dice.odd_one_in(40) {
            dice.word(&["auth", "app", "", "fuzz, public", "pg_catalog", "\"fuzz\""])
        } else {
            schema
        };
        request.header(name, value);
    }
}

fn name_of(dice: &mut Dice, name: &str) -> String {
    let name = if dice.odd_one_in(60) {
        format!("{name}{}", dice.word(&["s", "\"", "'", "%00", " ", ".x", "\u{301}"]))
    } else {
        name.to_owned()
    };
    percent_encoding::utf8_percent_encode(&name, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%5F", "_")
}

fn target(path: &str, query: Query) -> Vec<u8> {
    let query = query.joined();
    if query.is_empty() { path.as_bytes().to_vec() } else { [path.as_bytes(), b"?", &query].concat() }
}

/// The methods are few, so the request can borrow their names.
pub fn static_method(name: &str) -> &'static str {
    const METHODS: [&str; 12] =
        ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "TRACE", "FOO", "get", "QUERY", "MERGE"];
    METHODS.into_iter().find(|method| *method == name).unwrap_or("GET")
}
