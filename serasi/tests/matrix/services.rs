//! Acts on the other services. A cell contains the expected response and side effects:
//!
//! - `200`: a 2xx response to a write must change something; any other response must not
//! - `200 #2`: number of entries in the response; without entries nothing may change
//! - `400 bad_json`: an error with this code
//! - `200 =` and `400 x *`: override whether something must change: `=` no, `*` yes
//! - `200, 409`: that many concurrent requests, with these statuses in any order
//!
//! After a 2xx response every item in the column `then` must hold. Items are separated by ` && `:
//! `select …` is a database query, `/id = x` a property of the response, and `POST path {…} => 400` another request
//! by the same person.

use futures::future::join_all;
use serde_json::Value;

use crate::call::{Answer, Call};
use crate::stage::Stage;
use crate::table::{self, Row};
use crate::verdict::Verdict;

/// A stored picture that everyone may view but only its owner may change.
const WITNESS: &str = "GET object/public/images/{other influencer}/picture-1.png";

#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    status: u16,
    code: Option<String>,
    entries: Option<usize>,
    /// `None`: depends on status and method.
    changes: Option<bool>,
}

pub async fn own(service: &str, name: &str) {
    let rows = table::own(name);
    let mut stage = Stage::enter().await;
    let mut verdict = Verdict::on(name);
    let witness = Call::parse(&stage.filled(WITNESS, "nobody").await, "").unwrap();
    let picture = stage.send("storage/v1", &witness, "nobody").await;
    assert_eq!(picture.status, 200);
    for row in &rows {
        for (person, cell) in &row.cells {
            verdict.count();
            let judged = attempt(&mut stage, service, row, person, cell).await;
            stage.restore().await;
            let seen = stage.send("storage/v1", &witness, "nobody").await;
            assert_eq!(seen.body, picture.body, "{}:{}: the picture is another", row.file, row.line);
            if let Err(got) = judged {
                verdict.fail(row, person, cell, &got);
            }
        }
    }
    verdict.close();
}

async fn attempt(
    stage: &mut Stage,
    service: &str,
    row: &Row,
    person: &str,
    cell: &str,
) -> Result<(), String> {
    let wanted = cell.split(", ").map(Wanted::parse).collect::<Result<Vec<_>, _>>()?;
    let request = stage.filled(row.field("request"), person).await;
    let body = stage.filled(row.field("body"), person).await;
    let call = Call::parse(&request, &body)?.with_picture();
    let (before, after) = (stage.filled(row.field("before"), person).await, row.field("after"));
    stage.arrange(&before).await;
    let state = if before.is_empty() { stage.kept().clone() } else { stage.now().await };
    let mut answers = join_all(wanted.iter().map(|_| stage.send(service, &call, person))).await;
    answers.sort_by_key(|answer| answer.status);
    let changed = stage.now().await.difference(&state);
    stage.arrange(after).await;
    for (wanted, answer) in wanted.iter().zip(&answers) {
        wanted.judge(service, answer)?;
    }
    if wanted.iter().any(|wanted| wanted.must_change(&call)) == changed.is_empty() {
        return Err(format!("{changed:?} changed: {}", answers[0].summary()));
    }
    let then = stage.filled(row.field("then"), person).await;
    if answers[0].status < 300 && !then.is_empty() {
        for item in then.split(" && ") {
            holds(stage, service, person, &answers[0], item).await?;
        }
    }
    Ok(())
}

impl Wanted {
    fn parse(cell: &str) -> Result<Self, String> {
        let fault = || format!("`{cell}` is no outcome");
        let mut words = cell.split_whitespace();
        let status = words.next().and_then(|word| word.parse().ok()).ok_or_else(fault)?;
        let mut wanted = Self { status, code: None, entries: None, changes: None };
        for word in words {
            match word {
                "=" => wanted.changes = Some(false),
                "*" => wanted.changes = Some(true),
                word => match word.strip_prefix('#') {
                    Some(number) => wanted.entries = Some(number.parse().map_err(|_| fault())?),
                    None => wanted.code = Some(word.to_owned()),
                },
            }
        }
        Ok(wanted)
    }

    fn must_change(&self, call: &Call) -> bool {
        self.changes.unwrap_or(self.status < 300 && !call.reads() && self.entries != Some(0))
    }

    fn judge(&self, service: &str, answer: &Answer) -> Result<(), String> {
        let body = answer.json();
        if logical_status(service, answer, &body) != self.status {
            return Err(format!("status {}", answer.summary()));
        }
        if answer.status >= 400 && !is_error(service, &body) {
            return Err(format!("no error body: {}", answer.summary()));
        }
        let code = body["error_code"].as_str().or(body["code"].as_str());
        if self.code.is_some() && self.code.as_deref() != code {
            return Err(format!("code {}", answer.summary()));
        }
        let entries = body.as_array().map(Vec::len);
        if self.entries.is_some() && self.entries != entries {
            return Err(format!("{entries:?} entries: {}", answer.summary()));
        }
        Ok(())
    }
}

/// Storage responds with 400 and puts the actual status into the body.
fn logical_status(service: &str, answer: &Answer, body: &Value) -> u16 {
    let meant = body["statusCode"].as_str().and_then(|status| status.parse().ok());
    match (service, answer.status, meant) {
        ("storage/v1", 400, Some(meant)) => meant,
        (_, status, _) => status,
    }
}

/// Requires exactly these properties, so that errors reveal no internals.
fn is_error(service: &str, body: &Value) -> bool {
    let mut members = match service {
        "storage/v1" => vec!["statusCode", "error", "message", "code"],
        "auth/v1" => vec!["code", "error_code", "msg"],
        _ => vec!["error"],
    };
    if service == "auth/v1" && body["error_code"] == "weak_password" {
        members.push("weak_password");
    }
    body.as_object().is_some_and(|body| {
        body.len() == members.len() && members.iter().all(|name| body.contains_key(*name))
    })
}

async fn holds(
    stage: &mut Stage,
    service: &str,
    person: &str,
    answer: &Answer,
    item: &str,
) -> Result<(), String> {
    if let Some((request, status)) = item.split_once(" => ") {
        let mut words = request.trim().splitn(3, ' ');
        let line = format!("{} {}", words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let call = Call::parse(&line, words.next().unwrap_or_default())?;
        let then = stage.send(service, &call, person).await;
        return if then.status.to_string() == status.trim() {
            Ok(())
        } else {
            Err(format!("then {item}: {}", then.summary()))
        };
    }
    let holds = match item.trim().strip_prefix('/').and_then(|member| member.split_once(" = ")) {
        Some((pointer, value)) => {
            let member = answer.json().pointer(&format!("/{pointer}")).cloned().unwrap_or_default();
            member.as_str().map_or_else(|| member.to_string(), str::to_owned) == value
        }
        None => stage.holds(item).await,
    };
    if holds { Ok(()) } else { Err(format!("then not {item}: {}", answer.summary())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parsed() {
        let wanted = Wanted::parse("200 #0").unwrap();
        assert_eq!(wanted, Wanted { status: 200, code: None, entries: Some(0), changes: None });
        let wanted = Wanted::parse("400 bad_json *").unwrap();
        assert_eq!((wanted.code.as_deref(), wanted.changes), (Some("bad_json"), Some(true)));
        assert!(Wanted::parse("ok").is_err());
    }

    #[test]
    fn successful_writes_must_change_something() {
        let (get, post) = (Call::parse("GET a", "").unwrap(), Call::parse("POST a", "").unwrap());
        let changes = |cell: &str, call: &Call| Wanted::parse(cell).unwrap().must_change(call);
        assert!(changes("200", &post) && changes("400 *", &post));
        assert!(
            !changes("200", &get)
                && !changes("200 #0", &post)
                && !changes("200 =", &post)
                && !changes("403", &post)
        );
    }
}
