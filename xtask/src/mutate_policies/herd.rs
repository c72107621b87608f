//! All mutants, by several workers. Kin (a privilege too many on table after table) stand together first: if the
//! acts stay green, they are through with all of them; else each half is tried, down to those that are noticed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

use anyhow::Context;
use futures::future::try_join_all;
use indicatif::{ProgressBar, ProgressStyle};

use super::Mutant;
use super::judge::{Verdict, judge};
use super::suite::{ACTS, ALL, CATALOGUE, Proof, Suite};

const MOST_TOGETHER: usize = 128;

/// A mutant and its place in the report.
type Numbered = (usize, Mutant);
type Judged = (usize, Mutant, Verdict);

/// A worker for each database.
///
/// # Errors
/// When psql or the server is gone.
pub(super) async fn judge_all(
    databases: &[String],
    suite: &Suite,
    mutants: Vec<Mutant>,
) -> anyhow::Result<Vec<(Mutant, Verdict)>> {
    let bar = ProgressBar::new(mutants.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} mutants, {eta} left  {msg}")
            .context("the bar's template")?,
    );
    let herds = RefCell::new(VecDeque::from(herds(mutants)));
    let work = databases.iter().map(|database| async {
        let worker = Worker { database, suite, bar: &bar };
        let mut judged = Vec::new();
        loop {
            let next = herds.borrow_mut().pop_front();
            let Some(herd) = next else { break anyhow::Ok(judged) };
            judged.extend(worker.judge_herd(herd).await?);
        }
    });
    let mut judged: Vec<Judged> = try_join_all(work).await?.into_iter().flatten().collect();
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

struct Worker<'a> {
    database: &'a str,
    suite: &'a Suite,
    bar: &'a ProgressBar,
}

impl Worker<'_> {
    async fn judge_herd(&self, herd: Vec<Numbered>) -> anyhow::Result<Vec<Judged>> {
        let is_alone = herd.len() == 1;
        let proofs = if is_alone { ALL } else { ACTS };
        let verdicts = by_halves(herd.len(), async |range: Range<usize>| {
            let together: Vec<&Mutant> = herd[range].iter().map(|(_, mutant)| mutant).collect();
            self.judge(&together, proofs).await
        })
        .await?;

        let mut judged = Vec::new();
        for ((number, mutant), verdict) in herd.into_iter().zip(verdicts) {
            let verdict = match verdict {
                Verdict::Survived if !is_alone => self.judge(&[&mutant], CATALOGUE).await?,
                verdict => verdict,
            };
            self.bar.inc(1);
            judged.push((number, mutant, verdict));
        }
        Ok(judged)
    }

    async fn judge(&self, mutants: &[&Mutant], proofs: &[Proof]) -> anyhow::Result<Verdict> {
        self.bar.set_message(mutants.first().map_or_else(String::new, |mutant| mutant.subject.clone()));
        judge(self.database, self.suite, mutants, proofs).await
    }
}

/// A part of a herd that is still to be tried.
struct Stretch {
    range: Range<usize>,
    is_first_half: bool,
    /// Something in here turns red, so that trying all of it tells nothing.
    is_red: bool,
}

/// The verdict of each, from as few tries of several together as it takes.
async fn by_halves(
    number: usize,
    mut try_together: impl AsyncFnMut(Range<usize>) -> anyhow::Result<Verdict>,
) -> anyhow::Result<Vec<Verdict>> {
    let mut verdicts = vec![Verdict::Survived; number];
    let mut untried = vec![Stretch { range: 0..number, is_first_half: false, is_red: false }];
    // The last one is next.
    while let Some(Stretch { range, is_first_half, is_red }) = untried.pop() {
        if !is_red || range.len() == 1 {
            let verdict = try_together(range.clone()).await?;
            let is_green = verdict == Verdict::Survived;
            if is_green || range.len() == 1 {
                if let Some(other_half) = untried.last_mut()
                    && is_first_half
                    && is_green
                {
                    other_half.is_red = true;
                }
                verdicts[range].fill(verdict);
                continue;
            }
        }
        let middle = range.start + range.len() / 2;
        untried.push(Stretch { range: middle..range.end, is_first_half: false, is_red: false });
        untried.push(Stretch { range: range.start..middle, is_first_half: true, is_red: false });
    }
    Ok(verdicts)
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

    /// Which of `number` are noticed, and in how many tries, when `red` are.
    async fn noticed(number: usize, red: &[usize]) -> (Vec<usize>, usize) {
        let mut tries = 0;
        let verdicts = by_halves(number, async |range: Range<usize>| {
            tries += 1;
            let is_red = red.iter().any(|red| range.contains(red));
            Ok(if is_red { Verdict::Impossible(String::new()) } else { Verdict::Survived })
        })
        .await
        .unwrap();
        let noticed = (0..number).filter(|at| verdicts[*at] != Verdict::Survived).collect();
        (noticed, tries)
    }

    #[tokio::test]
    async fn halves_find_exactly_those_that_are_noticed() {
        assert_eq!(noticed(100, &[]).await, (vec![], 1));
        assert_eq!(noticed(1, &[0]).await, (vec![0], 1));
        assert_eq!(noticed(8, &[0, 5, 7]).await.0, [0, 5, 7]);
        let (found, tries) = noticed(128, &[127]).await;
        assert_eq!(found, [127]);
        assert!(tries <= 10, "{tries}");
        assert_eq!(noticed(7, &[0, 1, 2, 3, 4, 5, 6]).await.0.len(), 7);
    }
}
