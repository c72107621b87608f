//! Requests to every route of the storage service.

mod content;

use super::dice::Dice;
use super::ground::Ground;
use super::request::{Caller, Request};
use super::values;

pub const ROUTES: &[(&str, &str, usize)] = &[
    ("GET", "/storage/v1/bucket", 4),
    ("POST", "/storage/v1/bucket", 4),
    ("GET", "/storage/v1/bucket/{bucket}", 3),
    ("PUT", "/storage/v1/bucket/{bucket}", 4),
    ("DELETE", "/storage/v1/bucket/{bucket}", 2),
    ("POST", "/storage/v1/bucket/{bucket}/empty", 1),
    ("GET", "/storage/v1/object/public/{bucket}/{key}", 14),
    ("HEAD", "/storage/v1/object/public/{bucket}/{key}", 4),
    ("GET", "/storage/v1/object/authenticated/{bucket}/{key}", 6),
    ("GET", "/storage/v1/object/{bucket}/{key}", 6),
    ("GET", "/storage/v1/object/info/{bucket}/{key}", 4),
    ("GET", "/storage/v1/object/info/public/{bucket}/{key}", 3),
    ("GET", "/storage/v1/object/info/authenticated/{bucket}/{key}", 3),
    ("POST", "/storage/v1/object/list/{bucket}", 10),
    ("POST", "/storage/v1/object/list-v2/{bucket}", 8),
    ("POST", "/storage/v1/object/sign/{bucket}", 5),
    ("POST", "/storage/v1/object/sign/{bucket}/{key}", 6),
    ("GET", "/storage/v1/object/sign/{bucket}/{key}", 8),
    ("POST", "/storage/v1/object/upload/sign/{bucket}/{key}", 3),
    ("PUT", "/storage/v1/object/upload/sign/{bucket}/{key}", 3),
    ("POST", "/storage/v1/object/move", 5),
    ("POST", "/storage/v1/object/copy", 5),
    ("POST", "/storage/v1/object/{bucket}/{key}", 18),
    ("PUT", "/storage/v1/object/{bucket}/{key}", 8),
    ("DELETE", "/storage/v1/object/{bucket}/{key}", 3),
    ("DELETE", "/storage/v1/object/{bucket}", 3),
    ("GET", "/storage/v1/render/image/public/{bucket}/{key}", 10),
    ("GET", "/storage/v1/render/image/authenticated/{bucket}/{key}", 5),
    ("GET", "/storage/v1/render/image/sign/{bucket}/{key}", 3),
    ("DELETE", "/storage/v1/cdn/{bucket}/{key}", 1),
    ("DELETE", "/storage/v1/cdn/{bucket}", 1),
    ("GET", "/storage/v1/status", 1),
    ("GET", "/storage/v1/nope", 1),
    ("OPTIONS", "/storage/v1/object/{bucket}/{key}", 1),
];

const KEYS: &[&str] = &[
    "a.png",
    "a/b/c.png",
    "",
    "/",
    "..",
    "../x",
    "a/../b",
    "%2e%2e%2fx",
    "%252e",
    "a//b",
    "a/./b",
    ".",
    "a%00b",
    "a%0d%0ab",
    "%ff",
    "%e2%80%ae.png",
    "a\\..\\b",
    "C:\\x",
    "😀.png",
    "a b.png",
    "a%20b.png",
    "file..name.jpg",
    "a?b",
    "a#b",
    "*",
    "a%2fb",
    ".emptyFolderPlaceholder",
    "a/",
];
const RANGES: &[&str] = &[
    "bytes=0-9",
    "bytes=5-",
    "bytes=-5",
    "bytes=9-5",
    "bytes=0-0,2-3",
    "bytes=99999999999999999999-",
    "bytes=-0",
    "bytes=a-b",
    "items=0-1",
    "bytes=0-18446744073709551615",
    "",
];

/// Each with its share: those that appear more often can do more.
const CALLERS: &[Caller] = &[
    Caller::Nobody,
    Caller::Visitor,
    Caller::Approved,
    Caller::Approved,
    Caller::Approved,
    Caller::Agency,
    Caller::Vendor,
    Caller::Admin,
    Caller::Superadmin,
    Caller::Service,
    Caller::Service,
    Caller::Expired,
    Caller::Forged,
    Caller::Garbage,
    Caller::UnknownRole,
];

pub fn generate(dice: &mut Dice, ground: &Ground) -> Request {
    let total: usize = ROUTES.iter().map(|(_, _, weight)| weight).sum();
    let mut left = dice.below(total);
    let mut route = ROUTES[0];
    for candidate in ROUTES {
        route = *candidate;
        if left < candidate.2 {
            break;
        }
        left -= candidate.2;
    }
    let (method, template, _) = route;
    let caller = *dice.pick(CALLERS);
    let (bucket, key) = place(dice, ground, caller, method, template);
    let path = template.replace("{bucket}", &bucket).replace("{key}", &key);
    let target = match template {
        "/storage/v1/object/sign/{bucket}/{key}" if method == "GET" && dice.percent(70) => {
            let signed = dice.text(&ground.signed, "/object/sign/images/a.png?token=x");
            let cut = if dice.one_in(8) { dice.below(signed.len()) } else { signed.len() };
            format!("/storage/v1{}", signed.get(..cut).unwrap_or_default()).into_bytes()
        }
        _ => [path.into_bytes(), query(dice, template)].concat(),
    };
    let mut request = Request::new(method, template, target, caller);
    headers(dice, &mut request);
    with_body(dice, ground, request)
}

fn with_body(dice: &mut Dice, ground: &Ground, mut request: Request) -> Request {
    let (method, template, caller) = (request.method, request.template, request.caller);
    match (method, template) {
        (
            "POST" | "PUT",
            "/storage/v1/object/{bucket}/{key}" | "/storage/v1/object/upload/sign/{bucket}/{key}",
        ) if template.len() < 40 || method == "PUT" => {
            content::upload(dice, ground, &mut request);
            request
        }
        ("GET" | "HEAD" | "OPTIONS", _) => request,
        ("DELETE", _) if template.contains("{key}") => request,
        _ => {
            let body = content::json(dice, ground, template, caller);
            let body = match dice.below(25) {
                0 => values::json(dice, "json", &[]).into_bytes(),
                1 => body.to_string().into_bytes()[1..].to_vec(),
                2 => Vec::new(),
                _ => body.to_string().into_bytes(),
            };
            request.json(body)
        }
    }
}

/// Privileged callers use only data that the run can lose.
fn place(dice: &mut Dice, ground: &Ground, caller: Caller, method: &str, template: &str) -> (String, String) {
    let is_reading =
        matches!(method, "GET" | "HEAD") || template.contains("/list") || template.contains("/sign/");
    if dice.percent(45) && is_reading && !ground.objects.is_empty() {
        let object = dice.pick(&ground.objects);
        if let Some((bucket, key)) = object.split_once('/') {
            return (bucket.to_owned(), key.to_owned());
        }
    }
    let own = ground
        .person(caller)
        .or_else(|| ground.person(Caller::Approved))
        .map(|person| person.id.clone())
        .unwrap_or_default();
    let bucket = match dice.below(12) {
        0 => dice.word(&["nope", "%2e%2e", "a%00", "", "IMAGES", "a%2fb", "😀", "fuzz-2"]).to_owned(),
        1..=3 => dice.word(&["fuzz-private", "fuzz-1", "fuzz-2"]).to_owned(),
        _ if caller == Caller::Service && !is_reading => {
            dice.word(&["fuzz-private", "fuzz-1", "fuzz-2"]).to_owned()
        }
        _ => "images".to_owned(),
    };
    let name = if dice.percent(35) {
        dice.word(KEYS).to_owned()
    } else {
        format!("f{}.{}", dice.below(30), dice.word(&["png", "jpg", "gif", "webp", "avif"]))
    };
    let key = match dice.below(12) {
        0 => name,
        1 => String::from_utf8_lossy(&{
            let text = values::nasty(dice);
            values::encoded(dice, &text)
        })
        .replace([' ', '\r', '\n', '#', '?'], "_"),
        _ => format!("{own}/{name}"),
    };
    (bucket, key)
}

fn query(dice: &mut Dice, template: &str) -> Vec<u8> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let names: &[&str] = match template {
        _ if template.contains("/render/") => &["width", "height", "resize", "quality", "format"],
        "/storage/v1/bucket" => &["limit", "offset", "sortColumn", "sortOrder", "search"],
        _ if template.contains("/sign/") => &["token", "download"],
        _ => &["download"],
    };
    for name in names {
        if dice.percent(if names.len() > 2 { 50 } else { 15 }) {
            let value = match *name {
                "resize" => dice.word(&["cover", "contain", "fill", "nope"]).to_owned(),
                "format" => dice.word(&["origin", "webp", "avif", "png"]).to_owned(),
                "quality" => dice.between(10, 110).to_string(),
                _ => dice
                    .word(&[
                        "1",
                        "16",
                        "64",
                        "500",
                        "0",
                        "2500",
                        "999999",
                        "-1",
                        "4294967296",
                        "name",
                        "asc",
                        "a.png",
                    ])
                    .to_owned(),
            };
            let value = if dice.one_in(8) { values::nasty(dice) } else { value };
            parts.push([name.as_bytes(), b"=", &values::encoded(dice, &value)].concat());
        }
    }
    if parts.is_empty() { Vec::new() } else { [b"?".to_vec(), parts.join(&b'&')].concat() }
}

fn headers(dice: &mut Dice, request: &mut Request) {
    if dice.one_in(8) {
        request.header("range", dice.word(RANGES));
    }
    if dice.one_in(20) {
        request.header("if-none-match", dice.word(&["*", "\"x\"", "W/\"a\", \"b\"", ""]));
    }
    if dice.one_in(20) {
        request.header(
            "if-modified-since",
            dice.word(&["Mon, 01 Jan 2029 00:00:00 GMT", "Mon, 01 Jan 2001 00:00:00 GMT", "nope"]),
        );
    }
    if dice.odd_one_in(30) {
        request.header("if-range", dice.word(&["\"x\"", "Mon, 01 Jan 2001 00:00:00 GMT", ""]));
    }
    if dice.one_in(10) {
        request.header("accept", dice.word(&["image/webp", "image/avif,*/*", ""]));
    }
}
