//! Sends acts on rows to the gateway as each person and compares the results with the expectations of the
//! policy tests.

use serde_json::Value;

use crate::call::Call;
use crate::outcome::Wanted;
use crate::stage::Stage;
use crate::table::{self, Row};
use crate::verdict::Verdict;

pub const SERVICE: &str = "rest/v1";

/// Runs all files of `db/tests/policies`.
pub async fn policies() {
    perform("policies", &table::policies()).await;
}

/// Runs a table of `tables/` with the same grammar.
pub async fn own(name: &str) {
    perform(name, &table::own(name)).await;
}

/// Rows that have an HTTP request.
pub fn over_http(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| !row.field("request").is_empty())
}

async fn perform(subject: &str, rows: &[Row]) {
    let mut stage = Stage::enter().await;
    let mut verdict = Verdict::on(subject);
    for row in over_http(rows) {
        for (person, cell) in &row.cells {
            let wanted =
                Wanted::parse(cell).unwrap_or_else(|fault| panic!("{}:{}: {fault}", row.file, row.line));
            let Some(wanted) = wanted else { continue };
            verdict.count();
            if let Err(got) = attempt(&mut stage, row, person, &wanted).await {
                verdict.fail(row, person, cell, &got);
            }
        }
        // These tokens would grant everything if they were not expired or tampered with.
        for (bearer, code) in [("expired service", "PGRST303"), ("tampered service", "PGRST301")] {
            verdict.count();
            let wanted = Wanted::Refusal(code.to_owned());
            if let Err(got) = attempt(&mut stage, row, bearer, &wanted).await {
                verdict.fail(row, bearer, code, &got);
            }
        }
    }
    verdict.close();
}

async fn attempt(stage: &mut Stage, row: &Row, person: &str, wanted: &Wanted) -> Result<(), String> {
    let request = stage.filled(row.field("request"), person).await;
    let body = stage.filled(row.field("body"), person).await;
    let call =
        Call::parse(&request, &body).unwrap_or_else(|fault| panic!("{}:{}: {fault}", row.file, row.line));
    let before = stage.filled(row.field("before"), person).await;
    stage.arrange(&before).await;
    let judged = if wanted.leaves_all() || call.reads() {
        expect_unchanged(stage, &call, person, wanted, !before.is_empty()).await
    } else {
        write(stage, &call, person, wanted, !before.is_empty()).await
    };
    if !before.is_empty() || judged.is_err() {
        stage.restore().await;
    }
    judged
}

/// Runs an act that must not change anything. The whole database is compared, so no row needs to be read.
async fn expect_unchanged(
    stage: &mut Stage,
    call: &Call,
    person: &str,
    wanted: &Wanted,
    arranged: bool,
) -> Result<(), String> {
    let state = if arranged { stage.now().await } else { stage.kept().clone() };
    for call in attempts(stage, call, person, wanted) {
        let answer = stage.send(SERVICE, &call, person).await;
        let judged = wanted.judge(&call, person, &answer);
        let changed = stage.now().await.difference(&state);
        if !changed.is_empty() {
            return Err(format!("{changed:?} changed: {}", answer.summary()));
        }
        judged?;
    }
    Ok(())
}

/// Tries a write with and without returning the rows, because asking for less must not grant more.
fn attempts(stage: &Stage, call: &Call, person: &str, wanted: &Wanted) -> Vec<Call> {
    if call.reads() {
        return vec![call.clone()];
    }
    // The token is checked before anything else. Without the SELECT privilege, returning rows fails before
    // the actual check.
    let once = match wanted {
        Wanted::Refusal(code) if code == "42501" => false,
        Wanted::Refusal(code) if code.starts_with("PGRST") => true,
        _ => !stage.may_read(person, &table_of(call)),
    };
    let returns = ["return=minimal, count=exact", "return=representation"];
    ways(call, if once { &returns[..1] } else { &returns })
}

/// Calls a function that must succeed, and reverts its changes. The policies' own tests check these changes.
async fn called(stage: &mut Stage, call: &Call, person: &str, wanted: &Wanted) -> Result<(), String> {
    for call in ways(call, &["return=representation"]) {
        let answer = stage.send(SERVICE, &call, person).await;
        stage.restore().await;
        wanted.judge(&call, person, &answer)?;
    }
    Ok(())
}

/// Runs an act that must change exactly the expected number of rows, checks that with the service key, and
/// reverts it.
async fn write(
    stage: &mut Stage,
    call: &Call,
    person: &str,
    wanted: &Wanted,
    arranged: bool,
) -> Result<(), String> {
    let table = table_of(call);
    if table.starts_with("rpc/") {
        return called(stage, call, person, wanted).await;
    }
    let before = if arranged { stage.look(&table).await } else { stage.untouched(&table).await };
    let shown =
        if stage.may_read(person, &table) { "return=representation" } else { "return=minimal, count=exact" };
    for call in ways(call, &[shown]) {
        let answer = stage.send(SERVICE, &call, person).await;
        let judged = wanted.judge(&call, person, &answer);
        let after = stage.look(&table).await;
        stage.restore().await;
        judged?;
        let (gone, new) = difference(&before, &after);
        let as_expected = match (call.method.as_str(), wanted) {
            ("DELETE", Wanted::Rows(rows)) => (gone, new) == (*rows, 0),
            ("PATCH", Wanted::Rows(rows)) => (gone, new) == (*rows, *rows),
            (_, Wanted::Rows(rows)) => new == *rows && gone <= new,
            _ => true,
        };
        if !as_expected {
            return Err(format!("{gone} rows of {table} gone and {new} new"));
        }
    }
    Ok(())
}

/// Copies of a call with each preference, unless it sets its own.
pub fn ways(call: &Call, preferences: &[&str]) -> Vec<Call> {
    if call.header("prefer").is_some_and(|prefer| prefer.contains("return=")) {
        return vec![call.clone()];
    }
    preferences.iter().map(|preference| call.preferring(preference)).collect()
}

fn table_of(call: &Call) -> String {
    call.path.split('?').next().unwrap_or_default().to_owned()
}

/// Number of removed and added rows, ignoring their order.
fn difference(before: &[u8], after: &[u8]) -> (u64, u64) {
    let rows = |body: &[u8]| serde_json::from_slice::<Vec<Value>>(body).unwrap();
    let (mut gone, mut new) = (0, rows(after));
    for row in rows(before) {
        match new.iter().position(|other| *other == row) {
            Some(place) => {
                new.swap_remove(place);
            }
            None => gone += 1,
        }
    }
    (gone, new.len() as u64)
}
