//! Requests to the functions: create-admin, and paths that don't exist.

use serde_json::json;

use super::dice::Dice;
use super::request::{Caller, Request};
use super::values;

pub const PATHS: &[&str] = &[
    "/functions/v1/create-admin",
    "/functions/v1/create-admin/",
    "/functions/v1/create-admin/x",
    "/functions/v1/nope",
    "/functions/v1/",
];

pub fn generate(dice: &mut Dice) -> Request {
    let path = if dice.percent(80) { PATHS[0] } else { dice.word(PATHS) };
    let template = PATHS.iter().find(|known| **known == path).copied().unwrap_or(PATHS[0]);
    let caller = if dice.percent(40) { Caller::Superadmin } else { *dice.pick(&Caller::ALL) };
    let method = super::gateway::static_method(
        dice.word(&["POST", "POST", "POST", "POST", "GET", "OPTIONS", "PUT", "DELETE"]),
    );
    let mut request = Request::new(method, template, path, caller);
    if method != "POST" && dice.percent(70) {
        return request;
    }
    let email = match dice.below(4) {
        0 => values::nasty(dice),
        1 => "superadmin@demo.serasi.test".to_owned(),
        _ => format!("admin-{:x}@serasi.test", dice.number() % 10_000),
    };
    // Only one in ten is fully valid: it costs a hash and creates an admin.
    let password = if dice.one_in(10) {
        "Fuzz-password-4".to_owned()
    } else {
        dice.word(&["", "12345", "\u{0}"]).to_owned()
    };
    let role = dice.word(&["admin", "superadmin", "service_role", "", "ADMIN"]);
    let body = json!({ "email": email, "password": password, "role": role }).to_string();
    let body = match dice.below(12) {
        0 => values::json(dice, "json", &[]).into_bytes(),
        1 => body.as_bytes()[..dice.below(body.len())].to_vec(),
        2 => [body.as_bytes(), &[0xff]].concat(),
        _ => body.into_bytes(),
    };
    if dice.one_in(10) {
        request.body = Some(body);
        return request;
    }
    request.json(body)
}
