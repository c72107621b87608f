//! Requests to every route of the auth service: valid, nearly valid and malformed.

use serde_json::{Value, json};

use super::dice::Dice;
use super::ground::Ground;
use super::request::{Caller, Request};
use super::values;

/// Method, path and weight. Routes that hash a password have a low weight, because each hash occupies a core for a
/// while.
pub const ROUTES: &[(&str, &str, usize)] = &[
    ("GET", "/auth/v1/health", 2),
    ("GET", "/auth/v1/settings", 2),
    ("GET", "/auth/v1/.well-known/jwks.json", 2),
    ("POST", "/auth/v1/signup", 8),
    ("POST", "/auth/v1/token?grant_type=password", 6),
    ("POST", "/auth/v1/token?grant_type=refresh_token", 14),
    ("POST", "/auth/v1/token?grant_type=pkce", 8),
    ("POST", "/auth/v1/token?grant_type=id_token", 2),
    ("POST", "/auth/v1/token", 4),
    ("GET", "/auth/v1/user", 16),
    ("PUT", "/auth/v1/user", 12),
    ("POST", "/auth/v1/logout", 4),
    ("GET", "/auth/v1/reauthenticate", 3),
    ("POST", "/auth/v1/recover", 3),
    ("POST", "/auth/v1/resend", 3),
    ("POST", "/auth/v1/otp", 3),
    ("POST", "/auth/v1/magiclink", 2),
    ("GET", "/auth/v1/verify", 12),
    ("POST", "/auth/v1/verify", 14),
    ("HEAD", "/auth/v1/verify", 2),
    ("POST", "/auth/v1/sso", 2),
    ("GET", "/auth/v1/authorize", 2),
    ("POST", "/auth/v1/factors", 2),
    ("DELETE", "/auth/v1/factors/{id}", 2),
    ("POST", "/auth/v1/factors/{id}/challenge", 2),
    ("POST", "/auth/v1/factors/{id}/verify", 2),
    ("GET", "/auth/v1/factors/recovery-codes", 1),
    ("POST", "/auth/v1/factors/recovery-codes", 1),
    ("DELETE", "/auth/v1/factors/recovery-codes", 1),
    ("POST", "/auth/v1/factors/recovery-codes/verify", 2),
    ("GET", "/auth/v1/user/identities/authorize", 2),
    ("DELETE", "/auth/v1/user/identities/{id}", 2),
    ("POST", "/auth/v1/invite", 2),
    ("POST", "/auth/v1/admin/generate_link", 8),
    ("GET", "/auth/v1/admin/users", 10),
    ("POST", "/auth/v1/admin/users", 5),
    ("GET", "/auth/v1/admin/users/{id}", 8),
    ("PUT", "/auth/v1/admin/users/{id}", 14),
    ("DELETE", "/auth/v1/admin/users/{id}", 3),
    ("GET", "/auth/v1/admin/users/{id}/factors", 2),
    ("PUT", "/auth/v1/admin/users/{id}/factors/{factor}", 2),
    ("PATCH", "/auth/v1/user", 1),
    ("OPTIONS", "/auth/v1/token", 2),
    ("GET", "/auth/v1/nope", 2),
];

const KINDS: &[&str] = &[
    "signup",
    "invite",
    "magiclink",
    "recovery",
    "email_change",
    "email",
    "sms",
    "phone_change",
    "email_change_current",
    "email_change_new",
    "nope",
    "",
];

pub fn generate(dice: &mut Dice, ground: &Ground) -> Request {
    let total: usize = ROUTES.iter().map(|(_, _, weight)| weight).sum();
    let mut at = dice.below(total);
    let (method, template) = ROUTES
        .iter()
        .find_map(|(method, path, weight)| match at.checked_sub(*weight) {
            Some(rest) => {
                at = rest;
                None
            }
            None => Some((*method, *path)),
        })
        .unwrap_or(("GET", "/auth/v1/health"));
    let caller = caller(dice, template);
    let id = match dice.below(10) {
        0 => String::from_utf8_lossy(&{
            let text = values::nasty(dice);
            values::encoded(dice, &text)
        })
        .into_owned(),
        1 => "00000000-0000-4000-8000-000000000000".to_owned(),
        _ => dice.text(&ground.expendable_ids, "5e7b0001-0000-4000-8000-000000000001"),
    };
    let path = template.replace("{id}", &id).replace("{factor}", "5e7b0001-0000-4000-8000-000000000001");
    let target = [path.into_bytes(), query(dice, ground, template)].concat();
    let mut request = Request::new(method, template, target, caller);
    if matches!(method, "POST" | "PUT")
        || template == "/auth/v1/admin/users/{id}" && method == "DELETE" && dice.percent(50)
    {
        body(dice, ground, template, &mut request);
    }
    if dice.one_in(20) {
        request.header(
            "x-supabase-api-version",
            dice.word(&["2024-01-01", "2023-01-01", "2024-1-1", "nope", "9999-12-31"]),
        );
    }
    if dice.one_in(20) {
        request.header("x-jwt-aud", dice.word(&["authenticated", "other", ""]));
    }
    request
}

fn caller(dice: &mut Dice, template: &str) -> Caller {
    let is_operators = template.contains("/admin/") || template.ends_with("/invite");
    match dice.below(20) {
        0 => *dice.pick(&Caller::ALL),
        1..=14 if is_operators => Caller::Service,
        // Callers who can change a password or end all sessions affect only their own account.
        _ if template.ends_with("/user") || template.ends_with("/logout") => *dice.pick(&[
            Caller::Leaver,
            Caller::Leaver,
            Caller::Expired,
            Caller::Forged,
            Caller::Visitor,
            Caller::Service,
        ]),
        _ => *dice.pick(&[Caller::Visitor, Caller::Visitor, Caller::Leaver, Caller::NoRole, Caller::Nobody]),
    }
}

fn query(dice: &mut Dice, ground: &Ground, template: &str) -> Vec<u8> {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    match template {
        "/auth/v1/verify" => {
            if let Some(link) = (!ground.links.is_empty()).then(|| dice.pick(&ground.links)) {
                let kind = if dice.percent(70) { link.kind.clone() } else { dice.word(KINDS).to_owned() };
                let token = if dice.percent(60) { link.token_hash.clone() } else { values::nasty(dice) };
                let place = dice.word(&["token", "token_hash"]);
                pairs.extend([("type", kind), (place, token)]);
            }
        }
        "/auth/v1/logout" => {
            pairs.push(("scope", dice.word(&["local", "others", "global", "nope", ""]).to_owned()));
        }
        "/auth/v1/admin/users" => {
            for name in ["page", "per_page", "sort", "filter"] {
                if dice.percent(40) {
                    let value = dice
                        .word(&["1", "0", "2", "created_at asc", "50", "serasi", "4294967295", "-1"])
                        .to_owned();
                    pairs.push((name, if dice.percent(75) { value } else { values::nasty(dice) }));
                }
            }
        }
        _ => {}
    }
    if dice.one_in(12) {
        let targets = ["http://127.0.0.1:8000/", "https://evil.test", "javascript:alert(1)", "//x", "\u{0}"];
        pairs.push(("redirect_to", dice.word(&targets).to_owned()));
    }
    let mut text: Vec<u8> = Vec::new();
    for (name, value) in pairs {
        let separator = if text.is_empty() && !template.contains('?') { b'?' } else { b'&' };
        text.push(separator);
        text.extend_from_slice(name.as_bytes());
        text.push(b'=');
        text.extend_from_slice(&values::encoded(dice, &value));
    }
    text
}

fn body(dice: &mut Dice, ground: &Ground, template: &str, request: &mut Request) {
    let mut body = expected(dice, ground, template, request.caller);
    if let Some(members) = body.as_object_mut() {
        // One invalid member reveals more than all of them.
        let names: Vec<_> = members.keys().cloned().collect();
        if dice.percent(45) && !names.is_empty() {
            let name = dice.pick(&names).clone();
            members.insert(name, odd_value(dice));
        }
        if dice.one_in(15) {
            members.insert(
                dice.word(&["role", "id", "phone", "app_metadata", "code_challenge"]).to_owned(),
                odd_value(dice),
            );
        }
    }
    let text = body.to_string().into_bytes();
    let text = match dice.below(30) {
        0 => values::json(dice, "json", &[]).into_bytes(),
        1 => text[..dice.below(text.len())].to_vec(),
        2 => String::from_utf8_lossy(&text).replacen(':', ":\"\\ud800\",\"x\":", 1).into_bytes(),
        3 => Vec::new(),
        4 => [text, vec![0xff, 0xfe]].concat(),
        _ => text,
    };
    if !dice.odd_one_in(25) {
        request.header("content-type", if dice.odd_one_in(30) { "text/plain" } else { "application/json" });
    }
    request.body = Some(text);
}

fn odd_value(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => Value::Null,
        1 => json!(dice.below(100)),
        2 => json!([1, "a"]),
        3 => json!({ "a": { "b": null } }),
        4 => json!(true),
        _ => Value::String(values::nasty(dice)),
    }
}

fn expected(dice: &mut Dice, ground: &Ground, template: &str, caller: Caller) -> Value {
    let email = dice.text(&ground.expendable_emails, "nobody@serasi.test");
    let new_email = format!("new-{:x}@serasi.test", dice.number() % 100_000);
    // Hashing takes most of the time, so passwords that break a rule are cheap.
    let password = if dice.one_in(6) { "Fuzz-password-2" } else { dice.word(&["", "a", "\u{0}", "short"]) };
    match template.trim_start_matches("/auth/v1/") {
        "signup" => {
            json!({ "email": new_email, "password": password, "data": { "user_type": dice.word(&["influencer", "agency", "admin"]) } })
        }
        "token?grant_type=password" => {
            let known = ground.person(Caller::Leaver).map(|person| person.email.clone()).unwrap_or_default();
            json!({ "email": if dice.percent(50) { known } else { String::new() }, "password": "Fuzz-password-1" })
        }
        "token?grant_type=refresh_token" => {
            json!({ "refresh_token": dice.text(&ground.refresh_tokens, "abc") })
        }
        "token?grant_type=pkce" => {
            json!({ "auth_code": "5e7b0001-0000-4000-8000-000000000001", "code_verifier": "a".repeat(43) })
        }
        "user" => account_change(dice, &new_email, password),
        "recover" | "otp" | "magiclink" | "invite" => {
            json!({ "email": if dice.percent(50) { email } else { new_email } })
        }
        "resend" => json!({ "type": dice.word(KINDS), "email": email }),
        "verify" => proof(dice, ground, &email),
        "admin/generate_link" => json!({
            "type": dice.word(&["magiclink", "recovery", "magiclink", "recovery", "email_change_new", "email_change_current", "nope"]),
            "email": email, "new_email": new_email,
        }),
        // Only the service key assigns privileged roles, and only to new accounts.
        "admin/users" => json!({
            "email": if caller == Caller::Service && dice.percent(40) { email } else { new_email }, "email_confirm": true,
            "password_hash": "$2b$04$abcdefghijklmnopqrstuuXGC0l9BqN1eb9n.WqKXZNKtHq4d9Rwm", "user_metadata": { "user_type": "vendor" },
        }),
        "admin/users/{id}" => operators_change(dice, &new_email),
        _ => json!({ "email": email, "factor_type": "totp", "provider": "google", "domain": "x.test" }),
    }
}

fn account_change(dice: &mut Dice, new_email: &str, password: &str) -> Value {
    match dice.below(12) {
        0 => json!({ "password": "Fuzz-password-3" }),
        1 => json!({ "email": new_email }),
        2 => json!({ "password": password, "nonce": "123456" }),
        _ => json!({ "data": { "name": values::nasty(dice) } }),
    }
}

/// A mailed link or code.
fn proof(dice: &mut Dice, ground: &Ground, email: &str) -> Value {
    let link = (!ground.links.is_empty()).then(|| dice.pick(&ground.links).clone());
    match (link, dice.below(3)) {
        (Some(link), 0) => json!({ "type": link.kind, "token_hash": link.token_hash }),
        (Some(link), 1) => json!({ "type": link.kind, "token": link.code, "email": link.email }),
        _ => json!({ "type": dice.word(KINDS), "token": "123456", "email": email }),
    }
}

fn operators_change(dice: &mut Dice, new_email: &str) -> Value {
    match dice.below(6) {
        0 => json!({ "email": new_email }),
        1 => json!({ "ban_duration": dice.word(&["1h", "none", "-1h", "100000000h", "1x", "1h1m1s"]) }),
        2 => json!({ "phone": dice.word(&["60123456789", "+60 12", "x"]) }),
        3 => json!({ "should_soft_delete": true }),
        _ => json!({ "user_metadata": { "a": values::nasty(dice) }, "app_metadata": { "provider": "x" } }),
    }
}
