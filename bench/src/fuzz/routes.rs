//! Requests to every route of the auth service, the storage service and the functions: valid, nearly valid and malformed.
//! `routes.txt` lists them.

use std::rc::Rc;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::Value;

use super::ground::Ground;
use super::request::{Caller, Request};
use super::values::{self, Text, mostly};

pub const TABLE: &str = include_str!("routes.txt");

/// Headers that some of the requests to these paths have, with the list of their values.
const HEADERS: [(&str, &str, &str); 8] = [
    ("/auth/", "x-supabase-api-version", "api version"),
    ("/auth/", "x-jwt-aud", "audience"),
    ("/storage/", "range", "range"),
    ("/storage/", "if-none-match", "etag"),
    ("/storage/", "if-modified-since", "moment"),
    ("/storage/", "if-range", "etag"),
    ("/storage/", "accept", "picture type"),
    ("/storage/", "x-metadata", "metadata"),
];

/// Weight, method, path and body of the routes below a service's path.
pub fn table(service: &str) -> impl Iterator<Item = (u32, &'static str, &'static str, &'static str)> {
    let prefix = format!("/{service}/");
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let mut fields = line.splitn(4, ' ');
        let (method, weight, path) = (fields.next()?, fields.next()?, fields.next()?);
        path.starts_with(&prefix)
            .then(|| (weight.parse().unwrap_or(1), method, path, fields.next().unwrap_or("")))
    })
}

pub fn requests(service: &str, ground: &Rc<Ground>, odd: u32) -> BoxedStrategy<Request> {
    let routes: Vec<_> = table(service).flat_map(|route| vec![route; route.0.div_ceil(2) as usize]).collect();
    let ground = Rc::clone(ground);
    select(routes)
        .prop_flat_map(move |(_, method, path, body)| {
            let ground = Rc::clone(&ground);
            callers(path).prop_flat_map(move |caller| request(method, path, body, caller, &ground, odd))
        })
        .boxed()
}

fn callers(path: &str) -> BoxedStrategy<Caller> {
    use Caller::*;
    const STRANGE: &[Caller] =
        &[Nobody, Visitor, Expired, Forged, Unsigned, UnknownRole, Garbage, Admin, Superadmin];
    let usual: &[Caller] = match path {
        _ if path.starts_with("/functions/") => &[Superadmin, Superadmin, Admin, Agency, Visitor],
        _ if path.starts_with("/storage/") => &[
            Nobody, Visitor, Approved, Approved, Approved, Agency, Vendor, Admin, Superadmin, Service,
            Service,
        ],
        _ if path.contains("/admin/") || path.contains("/invite") => &[Service],
        // Callers who can change a password or end all sessions affect only their own account.
        _ if path.contains("/user") || path.contains("/logout") => {
            return select(&[Leaver, Leaver, Leaver, Expired, Forged, Visitor, Service][..]).boxed();
        }
        _ => &[Visitor, Visitor, Leaver, NoRole, Nobody],
    };
    mostly(10, select(usual), select(STRANGE))
}

fn request(
    method: &'static str,
    path: &'static str,
    body: &'static str,
    caller: Caller,
    ground: &Rc<Ground>,
    odd: u32,
) -> BoxedStrategy<Request> {
    let template = path.split('?').next().unwrap_or_default();
    let (base, query) = path.split_once('?').unwrap_or((path, ""));
    let target = (filled(base, caller, ground, odd, Place::Path), parameters(query, caller, ground, odd));
    let headers: Vec<_> = HEADERS
        .iter()
        .filter(|(prefix, ..)| path.starts_with(prefix))
        .map(|(_, name, list)| values::maybe(8, (Just(*name), values::text(list))))
        .collect();
    let content = content(body, caller, ground, odd);
    (target, headers, content)
        .prop_map(move |((base, query), headers, content)| {
            let mut request = Request::new(method, template, base + &query, caller);
            for (name, value) in headers.into_iter().flatten() {
                request.header(name, value);
            }
            if let Some((headers, body)) = content {
                headers.into_iter().for_each(|(name, value)| request.header(&name, value));
                request.body = Some(body);
            }
            request
        })
        .boxed()
}

/// Fixed parameters always, the others in three of four cases.
fn parameters(query: &'static str, caller: Caller, ground: &Rc<Ground>, odd: u32) -> Text {
    let parts = query.split('&').filter(|part| !part.is_empty());
    let parts: Vec<_> = parts
        .map(|part| {
            let percent = if part.contains('$') { 75 } else { 99 };
            values::maybe(percent, filled(part, caller, ground, odd, Place::Query))
        })
        .collect();
    let joined = |parts: Vec<Option<String>>| {
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    };
    parts.prop_map(joined).boxed()
}

/// `$words` that are not in words.json.
const FROM_THE_SERVER: [&str; 16] = [
    "id",
    "email",
    "known_email",
    "known_password",
    "refresh_token",
    "token_kind",
    "token_hash",
    "nasty",
    "object",
    "signed",
    "target",
    "bucket",
    "target_bucket",
    "own",
    "folder",
    "file",
];

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Path,
    Query,
    Json,
}

/// Replaces the `$words` of a template.
fn filled(template: &'static str, caller: Caller, ground: &Rc<Ground>, odd: u32, place: Place) -> Text {
    let mut pieces = template.split('$');
    let first = pieces.next().unwrap_or_default();
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let mut parts: Vec<Text> = Vec::new();
    for piece in pieces {
        let end = piece.find(|letter| !is_name(letter)).unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        // `$2b$04$…` is a hash.
        let is_word = FROM_THE_SERVER.contains(&name) || values::is_list(&name.replace('_', " "));
        let value =
            if is_word { value(name, caller, ground, odd, place) } else { Just(format!("${name}")).boxed() };
        parts.push(value.prop_map(move |value| value + rest).boxed());
    }
    parts.prop_map(move |parts| first.to_owned() + &parts.concat()).boxed()
}

/// The value of a `$word`: what the server has, or an entry of words.json.
fn value(name: &str, caller: Caller, ground: &Rc<Ground>, odd: u32, place: Place) -> Text {
    let person = ground.person(caller).or_else(|| ground.person(Caller::Approved));
    let folder = person.map(|person| person.id.clone()).unwrap_or_default();
    let from = |pool: &[String]| -> Text {
        if pool.is_empty() { Just("x".to_owned()).boxed() } else { select(pool.to_vec()).boxed() }
    };
    let in_folder = values::text("file").prop_map({
        let folder = folder.clone();
        move |file| format!("{folder}/{file}")
    });
    let key = prop_oneof![9 => in_folder.clone(), 1 => values::text("key"), 1 => values::nasty()];
    // The service key uses only buckets that the run can lose.
    let bucket: Text = if caller == Caller::Service {
        values::text("own bucket")
    } else {
        Just("images".to_owned()).boxed()
    };
    let bucket = mostly(8, bucket, values::text("odd bucket"));
    let target = (bucket.clone(), key).prop_map(|(bucket, key)| format!("{bucket}/{key}"));
    let text: Text = match name {
        "id" => mostly(10, from(&ground.expendable_ids), values::nasty()),
        "email" => from(&ground.expendable_emails),
        "known_email" => mostly(50, from(&ground.known_emails), values::text("new email")),
        "known_password" => Just(super::people::PASSWORD.to_owned()).boxed(),
        "refresh_token" => from(&ground.refresh_tokens),
        "token_kind" => values::text("verb link"),
        "token_hash" => mostly(30, from(&ground.token_hashes), values::nasty()),
        "nasty" => mostly(50, values::text("of text"), values::nasty()),
        "object" => mostly(50, from(&ground.objects), target),
        "signed" => mostly(
            12,
            from(&ground.signed),
            from(&ground.signed).prop_map(|path| path[..path.len() / 2].to_owned()),
        ),
        "target" => target.boxed(),
        "bucket" | "target_bucket" => bucket,
        "own" => values::text("own bucket"),
        "folder" => Just(folder).boxed(),
        "file" => in_folder.boxed(),
        _ if place == Place::Json => {
            let word = values::word(&name.replace('_', " ")).prop_map(|word| word.to_string());
            return mostly(odd, word, odd_json());
        }
        _ => values::text(&name.replace('_', " ")),
    };
    match place {
        Place::Path => text.prop_map(|text| text.replace([' ', '\r', '\n', '#', '?'], "_")).boxed(),
        Place::Query => values::encoded(mostly(odd / 2, text, values::nasty()), odd),
        // One invalid member reveals more than all of them.
        Place::Json => mostly(odd, text.prop_map(|text| Value::String(text).to_string()), odd_json()),
    }
}

fn odd_json() -> Text {
    let nasty = values::nasty().prop_map(|text| Value::String(text).to_string());
    prop_oneof![1 => values::text("odd json"), 1 => nasty].boxed()
}

type Content = Option<(Vec<(String, String)>, Vec<u8>)>;

/// The body with its headers.
fn content(body: &'static str, caller: Caller, ground: &Rc<Ground>, odd: u32) -> BoxedStrategy<Content> {
    match body {
        "" => Just(None).boxed(),
        "@picture" => upload(ground),
        _ => {
            let text = filled(body, caller, ground, odd, Place::Json).prop_map(String::into_bytes);
            let other = prop_oneof![values::text("json"), Just(String::new())].prop_map(String::into_bytes);
            let kind = mostly(odd / 3, Just("application/json".to_owned()), values::text("media type"));
            (kind, values::mangled(mostly(odd / 3, text, other), odd / 2))
                .prop_map(|(kind, body)| Some((vec![("content-type".to_owned(), kind)], body)))
                .boxed()
        }
    }
}

/// A picture, intact in half of all cases, as the body or in a form.
fn upload(ground: &Rc<Ground>) -> BoxedStrategy<Content> {
    let pictures = ground.pictures.iter().map(|picture| {
        let mime_type = picture.mime_type.to_owned();
        let damaged = values::mangled(Just(picture.bytes.clone()), 35);
        let noise = prop::collection::vec(any::<u8>(), 0..600);
        let kind = mostly(15, Just(mime_type), values::text("upload type"));
        (kind, mostly(10, damaged, noise)).boxed()
    });
    let form = values::maybe(30, (values::text("part name"), values::text("cache"), 0..10_u8));
    (
        Union::new(pictures),
        form,
        values::maybe(50, values::text("upsert")),
        values::maybe(10, values::text("cache")),
    )
        .prop_map(|((kind, bytes), form, upsert, cache)| {
            let (kind, body) = match form {
                None => (kind, bytes),
                Some((name, age, turn)) => in_a_form(&kind, &bytes, &name, &age, turn),
            };
            let mut headers = vec![("content-type".to_owned(), kind)];
            headers.extend(upsert.map(|value| ("x-upsert".to_owned(), value)));
            headers.extend(cache.map(|value| ("cache-control".to_owned(), value)));
            Some((headers, body))
        })
        .boxed()
}

fn in_a_form(kind: &str, bytes: &[u8], name: &str, age: &str, turn: u8) -> (String, Vec<u8>) {
    let head = format!(
        "--x\r\ncontent-disposition: form-data; name=\"cacheControl\"\r\n\r\n{age}\r\n--x\r\n\
         content-disposition: form-data; name=\"{name}\"; filename=\"a.png\"\r\ncontent-type: {kind}\r\n\r\n"
    );
    let tail: &[u8] = if turn == 0 { b"" } else { b"\r\n--x--\r\n" };
    let boundary = if turn == 1 { "y" } else { "x" };
    (format!("multipart/form-data; boundary={boundary}"), [head.as_bytes(), bytes, tail].concat())
}
