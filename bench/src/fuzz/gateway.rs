//! Requests in PostgREST's grammar. Resource, query, headers and body are drawn from the schema.

mod body;
mod filter;

use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::ground::{Column, Function, Ground, Table};
use super::request::{Caller, Request};
use super::values::{self, Text, maybe, mostly, nasty, text};
use filter::{column, field, quoted};

const MAX_EMBEDS: u32 = 4;

/// Percent-encoded parameters of a query.
type Query = BoxedStrategy<Vec<String>>;

/// One request to `/rest/v1`.
pub fn requests(ground: &Rc<Ground>, odd: u32) -> BoxedStrategy<Request> {
    let (for_tables, for_calls) = (Rc::clone(ground), Rc::clone(ground));
    let methods = mostly(odd / 15, text("method"), text("odd method"));
    let tables = (select(ground.tables.clone()), methods, callers(odd))
        .prop_flat_map(move |(table, method, caller)| on_table(&for_tables, table, method, caller, odd));
    let calls = (select(ground.functions.clone()), text("call method"), callers(odd))
        .prop_flat_map(move |(function, method, caller)| call(&for_calls, function, method, caller, odd));
    let paths = mostly(40, Just("/rest/v1/".to_owned()), text("odd path"));
    let others = (paths, text("call method"), callers(odd))
        .prop_map(|(path, method, caller)| Request::new(&method, "/rest/v1/…", path, caller));
    let others = with_headers(others.boxed(), 25, odd);
    prop_oneof![83 => tables, 14 => calls, 3 => others].boxed()
}

/// A bad token is rejected before anything else.
fn callers(odd: u32) -> BoxedStrategy<Caller> {
    use Caller::*;
    const USUAL: &[Caller] = &[
        Nobody, Visitor, Visitor, Visitor, NoRole, Unapproved, Approved, Approved, Verified, Verified,
        Agency, Agency, Vendor, Admin, Admin, Superadmin, Superadmin, Service, Service, Service,
    ];
    mostly(odd, select(USUAL), select(&[Expired, Forged, Unsigned, UnknownRole, Garbage][..]))
}

fn on_table(
    ground: &Rc<Ground>,
    table: Rc<Table>,
    method: String,
    caller: Caller,
    odd: u32,
) -> BoxedStrategy<Request> {
    let filters = match method.as_str() {
        "POST" => Just(Vec::new()).boxed(),
        "PUT" => vec(key(&table, odd), 1).boxed(),
        _ => vec(filter::condition_of(&table, odd), 0..4).boxed(),
    };
    let query = (guard(ground, &table, &method, caller), filters, shape(ground, &table, odd))
        .prop_map(|(guard, filters, shape)| [guard, filters, shape].concat());
    let writes = matches!(method.as_str(), "POST" | "PATCH" | "PUT");
    let body = if writes {
        body::rows(&table, odd).prop_map(Some).boxed()
    } else {
        maybe(odd / 5, body::rows(&table, odd))
    };
    let (schema, name) = (table.schema.clone(), resource(&table.name, odd));
    let requests = (name, query, body).prop_map(move |(name, query, body)| {
        let mut request = Request::new(&method, "/rest/v1/{table}", target(&name, &query), caller);
        add_body(&mut request, body);
        request
    });
    with_headers(with_profile(requests.boxed(), schema, odd), if writes { 75 } else { 25 }, odd)
}

fn call(
    ground: &Rc<Ground>,
    function: Rc<Function>,
    method: String,
    caller: Caller,
    odd: u32,
) -> BoxedStrategy<Request> {
    let arguments = function
        .arguments
        .iter()
        .map(|(name, kind)| maybe(90, parameter(Just(name.clone()), values::of_type(kind, &[], odd), odd)));
    let arguments: Vec<_> = if method == "POST" { Vec::new() } else { arguments.collect() };
    let ground = Rc::clone(ground);
    // The result of a function can be filtered and shaped like a table.
    let shape =
        maybe(35, select(ground.tables.clone()).prop_flat_map(move |table| shape(&ground, &table, odd)));
    let body = match method.as_str() {
        "POST" => body::arguments(&function, odd).prop_map(Some).boxed(),
        _ => Just(None).boxed(),
    };
    let requests = (resource(&function.name, odd), arguments, shape, body).prop_map(
        move |(name, arguments, shape, body)| {
            let query: Vec<_> = arguments.into_iter().flatten().chain(shape.into_iter().flatten()).collect();
            let target = target(&format!("rpc/{name}"), &query);
            let mut request = Request::new(&method, "/rest/v1/rpc/{function}", target, caller);
            add_body(&mut request, body);
            request
        },
    );
    with_headers(with_profile(requests.boxed(), "fuzz".to_owned(), odd), 25, odd)
}

fn add_body(request: &mut Request, body: Option<(String, Vec<u8>)>) {
    if let Some((kind, body)) = body {
        request.header("content-type", kind);
        request.body = Some(body);
    }
}

fn target(name: &str, query: &[String]) -> String {
    let query = query.join("&");
    if query.is_empty() { format!("/rest/v1/{name}") } else { format!("/rest/v1/{name}?{query}") }
}

fn resource(name: &str, odd: u32) -> Text {
    let name = name.to_owned();
    let whole = name.clone();
    mostly(odd / 5, Just(whole), text("suffix").prop_map(move |suffix| name.clone() + &suffix))
        .prop_map(|name| values::encode(&name).replace("%5F", "_"))
        .boxed()
}

/// `name=value`, sometimes with a strange name or twice.
fn parameter(name: impl Strategy<Value = String> + 'static, value: Text, odd: u32) -> Text {
    let name = values::encoded(mostly(odd / 8, name, nasty()), odd);
    (name, values::encoded(value, odd), 0..(400 / odd))
        .prop_map(|(name, value, turn)| {
            let part = format!("{name}={value}");
            if turn == 0 { format!("{part}&{part}") } else { part }
        })
        .boxed()
}

/// The condition that PUT needs.
fn key(table: &Rc<Table>, odd: u32) -> Text {
    let key = table.columns.iter().find(|column| column.name == "id").or(table.columns.first());
    let Some(key) = key else { return Just("id=eq.1".to_owned()).boxed() };
    let value = values::of_type(&key.kind, &key.pool, odd).prop_map(|value| format!("eq.{value}"));
    parameter(Just(key.name.clone()), value.boxed(), odd)
}

/// Keeps privileged callers from changing data that the run needs: demo accounts, and all rows together.
fn guard(ground: &Rc<Ground>, table: &Table, method: &str, caller: Caller) -> Query {
    let owner = if table.name == "profiles" { "id" } else { "user_id" };
    let is_owned = table.has(owner);
    match method {
        "DELETE" if table.schema == "fuzz" => (10..60_u32).prop_map(|id| vec![format!("id=eq.{id}")]).boxed(),
        "DELETE" if caller.is_privileged() && is_owned && !ground.expendable_ids.is_empty() => {
            select(ground.expendable_ids.clone()).prop_map(move |id| vec![format!("{owner}=eq.{id}")]).boxed()
        }
        "DELETE" if caller.is_privileged() && table.has("id") => {
            Just(vec!["id=eq.5e7b0001-0000-4000-8000-000000000001".to_owned()]).boxed()
        }
        "PATCH" if caller.is_privileged() && is_owned => Just(vec![
            format!("{owner}=gte.5e7b0000-0000-4000-8000-000000000000"),
            format!("{owner}=lt.5e7c0000-0000-4000-8000-000000000000"),
        ])
        .boxed(),
        _ => Just(Vec::new()).boxed(),
    }
}

/// select, order, limit, offset, columns, on_conflict.
fn shape(ground: &Rc<Ground>, table: &Rc<Table>, odd: u32) -> Query {
    let embed = table.embeds.first().map_or("x", |embed| embed.split('!').next().unwrap_or("x")).to_owned();
    let part = |percent, name: Text, value: Text| maybe(percent, parameter(name, value, odd));
    let fixed = |name: &str| Just(name.to_owned()).boxed();
    let number = |name: &'static str| {
        let of_embed = format!("{embed}.{name}");
        let value = mostly(20, (0..20_u32).prop_map(|number| number.to_string()), nasty());
        part(20, mostly(20, fixed(name), Just(of_embed)), value)
    };
    let names = || {
        vec(column(table, odd).prop_map(|column| quoted(&column.name)), 1..4)
            .prop_map(|names| names.join(","))
    };
    let parts = vec![
        part(60, fixed("select"), items(Rc::clone(ground), Rc::clone(table), 0, odd)),
        part(30, fixed("order"), order(table, odd)),
        number("limit"),
        number("offset"),
        part(12, fixed("columns"), names().boxed()),
        part(10, fixed("on_conflict"), names().boxed()),
    ];
    parts.prop_map(|parts| parts.into_iter().flatten().collect()).boxed()
}

/// The items of `select`. Embeds contain items of their own.
fn items(ground: Rc<Ground>, table: Rc<Table>, depth: u32, odd: u32) -> Text {
    let column = column(&table, odd).prop_flat_map(move |column| {
        let parts = (field(&column, odd), maybe(16, text("alias")), maybe(20, text("cast")));
        let parts = (parts, maybe(12, text("aggregate")), maybe(5, text("cast")));
        parts.prop_map(|((field, alias, cast), aggregate, after)| {
            let alias = alias.map(|alias| format!("{alias}:")).unwrap_or_default();
            let cast = cast.map(|cast| format!("::{cast}")).unwrap_or_default();
            let aggregate = aggregate.map(|name| format!(".{name}()")).unwrap_or_default();
            let after = after.map(|cast| format!("::{cast}")).unwrap_or_default();
            format!("{alias}{field}{cast}{aggregate}{after}")
        })
    });
    let other = mostly(odd, text("item"), nasty());
    let item = if depth < MAX_EMBEDS {
        prop_oneof![14 => column, 2 => other, 4 => embed(ground, table, depth, odd)].boxed()
    } else {
        prop_oneof![14 => column, 2 => other].boxed()
    };
    vec(item, 1..5).prop_map(|items| items.join(",")).boxed()
}

fn embed(ground: Rc<Ground>, table: Rc<Table>, depth: u32, odd: u32) -> Text {
    let known = if table.embeds.is_empty() { text("embed") } else { select(table.embeds.clone()).boxed() };
    mostly(15, known, text("embed"))
        .prop_flat_map(move |name| {
            let bare = name.split('!').next().unwrap_or_default();
            let is_target = |other: &&Rc<Table>| other.name == bare && other.schema == table.schema;
            let target = ground.tables.iter().find(is_target).unwrap_or(&table);
            let inner = items(Rc::clone(&ground), Rc::clone(target), depth + 1, odd);
            let marks = (0..6_u8, 0..4_u8, maybe(25, text("hint")), 0..8_u8);
            (Just(name), inner, marks).prop_map(|(name, inner, (alias, spread, hint, turn))| {
                let alias = if alias == 0 { "other:" } else { "" };
                let spread = if alias.is_empty() && spread == 0 { "..." } else { "" };
                let hint = hint.map(|hint| format!("!{hint}")).unwrap_or_default();
                let inner = if turn == 0 { String::new() } else { inner };
                format!("{spread}{alias}{name}{hint}({inner})")
            })
        })
        .boxed()
}

fn order(table: &Rc<Table>, odd: u32) -> Text {
    const DIRECTIONS: &[&str] = &["", ".asc", ".desc", ".up"];
    const NULLS: &[&str] = &["", "", ".nullsfirst", ".nullslast", ".nulls"];
    let embed = table.embeds.first().and_then(|embed| embed.split('!').next()).unwrap_or("x").to_owned();
    let field = column(table, odd).prop_flat_map(move |column| field(&column, odd));
    let item = (field, select(DIRECTIONS), select(NULLS), 0..8_u8).prop_map(
        move |(field, direction, nulls, turn)| {
            let field = if turn == 0 { format!("{embed}({field})") } else { field };
            format!("{field}{direction}{nulls}")
        },
    );
    vec(item, 1..3).prop_map(|items| items.join(",")).boxed()
}

/// The header that chooses the schema.
fn with_profile(requests: BoxedStrategy<Request>, schema: String, odd: u32) -> BoxedStrategy<Request> {
    (requests, maybe(odd / 5, text("schema")))
        .prop_map(move |(mut request, strange)| {
            let reads = matches!(request.method.as_str(), "GET" | "HEAD");
            if schema != "public" || strange.is_some() {
                let name = if reads { "accept-profile" } else { "content-profile" };
                request.header(name, strange.unwrap_or_else(|| schema.clone()));
            }
            request
        })
        .boxed()
}

/// Prefer, Accept, Range and other headers that affect the response's form.
fn with_headers(requests: BoxedStrategy<Request>, prefer: u32, odd: u32) -> BoxedStrategy<Request> {
    let line = || {
        nasty().prop_map(|text| {
            text.chars().filter(|letter| !letter.is_control()).take(2000).collect::<String>()
        })
    };
    let preferences = vec(text("preference"), 1..3).prop_map(|names| names.join(", "));
    let header = |name: &'static str, percent, value: Text| maybe(percent, (Just(name), value));
    let headers = vec![
        header("prefer", prefer, preferences.boxed()),
        header("prefer", odd / 5, text("preference")),
        header("accept", 30, mostly(odd, text("media type"), line())),
        header("range", 12, mostly(odd, text("rows"), line())),
        header("range-unit", 4, text("range unit")),
        header("origin", odd / 5, text("origin")),
        header("access-control-request-method", odd / 5, text("requested method")),
        header("accept-encoding", odd / 5, text("coding")),
        header("x-http-method-override", 1, Just("DELETE".to_owned()).boxed()),
    ];
    (requests, headers)
        .prop_map(|(mut request, headers)| {
            headers.into_iter().flatten().for_each(|(name, value)| request.header(name, value));
            request
        })
        .boxed()
}
