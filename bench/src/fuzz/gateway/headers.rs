//! Prefer, Accept, Range and other headers that affect the response's form.

use crate::fuzz::dice::Dice;
use crate::fuzz::request::Request;
use crate::fuzz::values;

pub const PREFERENCES: &[&str] = &[
    "return=representation",
    "return=minimal",
    "return=headers-only",
    "resolution=merge-duplicates",
    "resolution=ignore-duplicates",
    "count=exact",
    "count=planned",
    "count=estimated",
    "missing=default",
    "missing=null",
    "handling=strict",
    "handling=lenient",
    "tx=rollback",
    "tx=commit",
    "max-affected=1",
    "max-affected=-1",
    "max-affected=99999999999999999999",
    "timezone=Asia/Kuala_Lumpur",
    "timezone=nope",
    "timezone='",
    "params=single-object",
    "return=",
    "nope",
    "",
];
pub const MEDIA_TYPES: &[&str] = &[
    "application/json",
    "*/*",
    "application/vnd.pgrst.object+json",
    "application/vnd.pgrst.object+json;nulls=stripped",
    "application/vnd.pgrst.array+json",
    "application/vnd.pgrst.array+json;nulls=stripped",
    "text/csv",
    "application/geo+json",
    "application/octet-stream",
    "text/plain",
    "text/xml",
    "application/openapi+json",
    "application/vnd.pgrst.plan",
    "application/vnd.pgrst.plan+json; for=\"text/csv\"; options=analyze|verbose",
    "text/html",
    "application/x-www-form-urlencoded",
    "image/png",
    "a/b;q=0.1, text/csv;q=0.9",
    "application/json;charset=\"",
    ";;;",
    "",
];
const RANGES: &[&str] =
    &["0-9", "5-2", "0-", "-5", "0-18446744073709551616", "a-b", "100000-200000", "1-1", ""];

pub fn reading(dice: &mut Dice, request: &mut Request) {
    common(dice, request, 25);
}

pub fn writing(dice: &mut Dice, request: &mut Request) {
    common(dice, request, 75);
}

fn common(dice: &mut Dice, request: &mut Request, prefer_percent: u32) {
    if dice.percent(prefer_percent) {
        let names: Vec<_> = (0..dice.between(1, 3)).map(|_| dice.word_of(PREFERENCES, 14)).collect();
        request.header("prefer", names.join(", "));
        if dice.one_in(15) {
            request.header("prefer", dice.word_of(PREFERENCES, 14));
        }
    }
    if dice.percent(30) {
        let accept = if dice.one_in(15) { line(dice) } else { dice.word_of(MEDIA_TYPES, 7).to_owned() };
        request.header("accept", accept);
    }
    if dice.percent(12) {
        let range = if dice.one_in(10) { line(dice) } else { dice.word_of(RANGES, 1).to_owned() };
        request.header("range", range);
        if dice.percent(30) {
            request.header("range-unit", dice.word(&["items", "bytes", ""]));
        }
    }
    if dice.odd_one_in(40) {
        request.header("origin", dice.word(&["http://127.0.0.1:1", "null", "https://evil.test", "x"]));
        request.header("access-control-request-method", dice.word(&["PATCH", "NOPE", ""]));
    }
    if dice.odd_one_in(60) {
        request.header("accept-encoding", dice.word(&["gzip", "br", "gzip;q=0, *", "x"]));
    }
    if dice.odd_one_in(80) {
        request.header("x-http-method-override", "DELETE");
    }
}

/// An unusual but valid header value.
fn line(dice: &mut Dice) -> String {
    values::nasty(dice).chars().filter(|letter| !letter.is_control()).take(2000).collect()
}
