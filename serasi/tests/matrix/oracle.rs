//! Hidden facts must not be visible in any response. Each act runs in two worlds that differ only in the
//! hidden fact. `same` requires identical responses, `tells` requires different ones; each is followed by
//! the outcome in the first world.

use crate::call::{Answer, Call};
use crate::outcome::Wanted;
use crate::rows::{SERVICE, ways};
use crate::stage::Stage;
use crate::table::{self, Row};
use crate::verdict::Verdict;

pub async fn own(name: &str) {
    let rows = table::own(name);
    let mut stage = Stage::enter().await;
    let mut verdict = Verdict::on(name);
    for row in &rows {
        let first = answers(&mut stage, row, "before").await;
        let second = answers(&mut stage, row, "other").await;
        for (((person, cell), (call, first)), (_, second)) in row.cells.iter().zip(first).zip(second) {
            verdict.count();
            if let Err(got) = judge(cell, &call, person, &first, &second) {
                verdict.fail(row, person, cell, &got);
            }
        }
    }
    verdict.close();
}

/// The responses for all persons in one of the worlds.
async fn answers(stage: &mut Stage, row: &Row, world: &str) -> Vec<(Call, Answer)> {
    let script = stage.filled(row.field(world), "service").await;
    let mut answers = Vec::new();
    for (person, _) in &row.cells {
        let request = stage.filled(row.field("request"), person).await;
        let body = stage.filled(row.field("body"), person).await;
        let call = Call::parse(&request, &body);
        let call = call.unwrap_or_else(|fault| panic!("{}:{}: {fault}", row.file, row.line));
        let call = if call.reads() { call } else { ways(&call, &["return=minimal, count=exact"]).remove(0) };
        if answers.is_empty() || !call.reads() {
            stage.restore().await;
            stage.arrange(&script).await;
        }
        let answer = stage.send(SERVICE, &call, person).await;
        answers.push((call, answer));
    }
    stage.restore().await;
    answers
}

fn judge(cell: &str, call: &Call, person: &str, first: &Answer, second: &Answer) -> Result<(), String> {
    let (relation, wanted) = cell.split_once(' ').unwrap_or((cell, ""));
    let wanted = Wanted::parse(wanted)?.ok_or("no outcome")?;
    wanted.judge(call, person, first)?;
    let relevant = |answer: &Answer| {
        (answer.status, answer.header("content-range").map(str::to_owned), answer.body.clone())
    };
    match (relation, relevant(first) == relevant(second)) {
        ("same", true) | ("tells", false) => Ok(()),
        ("same", false) => {
            let (first, second) = (place(first, second), place(second, first));
            Err(format!("two answers: {first} and {second}"))
        }
        ("tells", true) => Err(format!("the same answer twice: {}", first.summary())),
        _ => Err(format!("`{relation}` is no relation")),
    }
}

/// The excerpt where one response starts to differ from the other.
fn place(answer: &Answer, other: &Answer) -> String {
    let at = answer.body.iter().zip(&other.body).take_while(|(one, two)| one == two).count();
    let from = at.saturating_sub(60);
    let part = &answer.body[from..answer.body.len().min(at + 60)];
    format!("{} {:?} …{}…", answer.status, answer.header("content-range"), String::from_utf8_lossy(part))
}
