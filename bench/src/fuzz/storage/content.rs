//! Uploaded content, and the JSON bodies of all other requests.

use serde_json::{Value, json};

use crate::fuzz::dice::Dice;
use crate::fuzz::ground::Ground;
use crate::fuzz::request::{Caller, Request};
use crate::fuzz::{pictures, values};

pub fn upload(dice: &mut Dice, ground: &Ground, request: &mut Request) {
    let Some(picture) = (!ground.pictures.is_empty()).then(|| dice.pick(&ground.pictures)) else { return };
    let bytes = pictures::mutated(dice, picture);
    let kind = if dice.percent(85) {
        picture.mime_type
    } else {
        dice.word(&[
            "text/html",
            "image/svg+xml",
            "application/octet-stream",
            "image/",
            "",
            "image/png; charset=x",
        ])
    };
    if dice.percent(30) {
        let boundary = if dice.one_in(10) { "y" } else { "x" };
        let name = dice.word(&["", "file", "../../x", "a\"; filename=\"b"]);
        let head = format!(
            "--x\r\ncontent-disposition: form-data; name=\"cacheControl\"\r\n\r\n{}\r\n--x\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"a.png\"\r\ncontent-type: {kind}\r\n\r\n",
            dice.word(&["3600", "", "x\u{0}"])
        );
        let tail: &[u8] = if dice.one_in(8) { b"" } else { b"\r\n--x--\r\n" };
        request.header("content-type", format!("multipart/form-data; boundary={boundary}"));
        request.body = Some([head.as_bytes(), &bytes, tail].concat());
    } else {
        request.header("content-type", kind);
        request.body = Some(bytes);
    }
    if dice.percent(50) {
        request.header("x-upsert", dice.word(&["true", "true", "false", "x"]));
    }
    if dice.one_in(10) {
        request
            .header("cache-control", dice.word(&["max-age=60", "3600", "x", "max-age=99999999999999999999"]));
    }
    if dice.one_in(10) {
        request.header("x-metadata", dice.word(&["eyJhIjoxfQ==", "!!", "e30=", "WzFd"]));
    }
}

pub fn json(dice: &mut Dice, ground: &Ground, template: &str, caller: Caller) -> Value {
    let own = ground.person(caller).map(|person| person.id.clone()).unwrap_or_default();
    let text =
        |dice: &mut Dice, usual: &str| if dice.one_in(6) { values::nasty(dice) } else { usual.to_owned() };
    let key = |dice: &mut Dice| format!("{own}/f{}.png", dice.below(30));
    let usual = key(dice);
    let destination = text(dice, &usual);
    match template.trim_start_matches("/storage/v1/") {
        "bucket" | "bucket/{bucket}" => json!({
            "name": text(dice, "fuzz-1"), "public": dice.percent(50),
            "file_size_limit": dice.pick(&[json!(1000), json!("20MB"), json!("x"), json!(-1), json!(1e30), Value::Null]),
            "allowed_mime_types": dice.pick(&[json!(["image/png"]), json!(["image/*"]), json!(["x"]), json!([]), json!([1])]),
        }),
        "object/list/{bucket}" => json!({
            "prefix": text(dice, &own), "limit": dice.pick(&[json!(10), json!(0), json!(-1), json!(1e12), json!("x")]),
            "offset": dice.pick(&[json!(0), json!(5), json!(-1), json!(9_223_372_036_854_775_807_i64)]), "search": text(dice, "f"),
            "sortBy": { "column": dice.word(&["name", "created_at", "nope"]), "order": dice.word(&["asc", "desc", "up"]) },
        }),
        "object/list-v2/{bucket}" => json!({
            "prefix": text(dice, &own), "limit": dice.pick(&[json!(10), json!(0), json!(100_000)]), "with_delimiter": dice.percent(50),
            "cursor": dice.pick(&[Value::Null, json!("x"), json!("eyJhIjoxfQ==")]),
        }),
        "object/move" | "object/copy" => json!({
            "bucketId": if caller == Caller::Service { "fuzz-private" } else { "images" },
            "sourceKey": if dice.percent(50) { key(dice) } else { "a.png".to_owned() },
            "destinationKey": destination,
        }),
        "object/{bucket}" => json!({ "prefixes": [key(dice), text(dice, "x")] }),
        "object/sign/{bucket}" => json!({ "paths": [key(dice), text(dice, "x")], "expiresIn": 60 }),
        "object/sign/{bucket}/{key}" => json!({
            "expiresIn": dice.pick(&[json!(60), json!(0), json!(-1), json!(1e18), json!("60"), json!(9_223_372_036_854_775_807_i64)]),
            "transform": { "width": dice.below(70), "quality": dice.between(10, 110) },
        }),
        _ => json!({}),
    }
}
