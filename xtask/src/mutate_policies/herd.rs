//! All mutants, by several workers. Those of one kin that no act is likely to notice (a privilege too many on
//! table after table) first stand together: if the acts stay green, they are through with all of them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::task::JoinSet;

use super::Mutant;
use super::judge::{Verdict, judge};
use super::suite::{ACTS, ALL, CATALOGUE, Suite};

const MOST_TOGETHER: usize = 64;

/// A mutant and its place in the report.
type Numbered = (usize, Mutant);
type Judged = (usize, Mutant, Verdict);

/// # Errors
/// When psql or the server is gone.
pub(super) async fn judge_all(
    databases: &[String],
    suite: &Arc<Suite>,
    mutants: Vec<Mutant>,
) -> anyhow::Result<Vec<(Mutant, Verdict)>> {
    let bar = ProgressBar::new(mutants.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} mutants, {eta} left  {msg}")
            .context("the bar's template")?,
    );
    let herds = Arc::new(Mutex::new(VecDeque::from(herds(mutants))));
    let mut workers = JoinSet::new();
    for database in databases {
        let (suite, herds) = (suite.clone(), herds.clone());
        let worker = Worker { database: database.clone(), suite, bar: bar.clone() };
        workers.spawn(async move {
            let mut judged = Vec::new();
            loop {
                let next = herds.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                let Some(herd) = next else { break anyhow::Ok(judged) };
                judged.extend(worker.judge_herd(herd).await?);
            }
        });
    }
    let mut judged = Vec::new();
    while let Some(worker) = workers.join_next().await {
        judged.extend(worker??);
    }
    bar.finish_and_clear();
    judged.sort_by_key(|(number, ..)| *number);
    Ok(judged.into_iter().map(|(_, mutant, verdict)| (mutant, verdict)).collect())
}

/// Kin together, all others alone.
fn herds(mutants: Vec<Mutant>) -> Vec<Vec<Numbered>> {
    let mut herds: Vec<Vec<Numbered>> = Vec::new();
    for (number, mutant) in mutants.into_iter().enumerate() {
        let joins = |herd: &&mut Vec<Numbered>| {
            let (_, first) = &herd[0];
            mutant.kin.is_some() && first.kin == mutant.kin && herd.len() < MOST_TOGETHER
        };
        match herds.iter_mut().find(joins) {
            Some(herd) => herd.push((number, mutant)),
            None => herds.push(vec![(number, mutant)]),
        }
    }
    herds
}

struct Worker {
    database: String,
    suite: Arc<Suite>,
    bar: ProgressBar,
}

impl Worker {
    /// Twice as many together after each green run, half as many after a red one.
    async fn judge_herd(&self, herd: Vec<Numbered>) -> anyhow::Result<Vec<Judged>> {
        let is_kin = herd.len() > 1;
        let mut waiting = VecDeque::from(herd);
        let mut judged = Vec::new();
        let mut together = 1;
        while let Some((_, first)) = waiting.front() {
            self.bar.set_message(first.subject.clone());
            together = together.min(waiting.len());
            let tried: Vec<&Mutant> = waiting.iter().take(together).map(|(_, mutant)| mutant).collect();
            let verdict = self.judge(&tried, if is_kin { ACTS } else { ALL }).await?;
            if together > 1 && verdict != Verdict::Survived {
                together /= 2;
                continue;
            }
            for (number, mutant) in waiting.drain(..together) {
                let verdict = match verdict {
                    Verdict::Survived if is_kin => self.judge(&[&mutant], CATALOGUE).await?,
                    _ => verdict.clone(),
                };
                judged.push((number, mutant, verdict));
                self.bar.inc(1);
            }
            if verdict == Verdict::Survived {
                together = (together * 2).min(MOST_TOGETHER);
            }
        }
        Ok(judged)
    }

    async fn judge(&self, mutants: &[&Mutant], proofs: &[super::suite::Proof]) -> anyhow::Result<Verdict> {
        judge(&self.database, &self.suite, mutants, proofs).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(kin: Option<&str>) -> Mutant {
        Mutant {
            group: "",
            subject: String::new(),
            name: String::new(),
            sql: String::new(),
            kin: kin.map(str::to_owned),
        }
    }

    #[test]
    fn only_kin_stand_together() {
        let herds =
            herds(vec![mutant(Some("a")), mutant(None), mutant(Some("b")), mutant(Some("a")), mutant(None)]);
        let numbers: Vec<Vec<usize>> =
            herds.iter().map(|herd| herd.iter().map(|(number, _)| *number).collect()).collect();
        assert_eq!(numbers, [vec![0, 3], vec![1], vec![2], vec![4]]);
    }

    #[test]
    fn a_herd_has_an_end() {
        let many = (0..=MOST_TOGETHER).map(|_| mutant(Some("a"))).collect();
        assert_eq!(herds(many).len(), 2);
    }
}
