//! Judges all mutants with several workers. Each mutant first runs alone against the nearest behavior
//! tests, which kill most, and the catalog checks. The few survivors run against all behavior tests, together
//! where none masks the other. If those tests pass, the whole batch survives; otherwise each half is tried,
//! down to the mutants that are killed.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Range;

use anyhow::Context;
use futures::future::try_join_all;
use indicatif::{ProgressBar, ProgressStyle};

use super::databases::{Database, Databases};
use super::equivalents;
use super::journal::{Journal, Stage};
use super::judge::judge;
use super::suite::{Part, Suite};
use super::verdict::Verdict;
use super::{Mutant, PRIVILEGES};

const MOST_TOGETHER: usize = 64;
/// Tries per database. After that it is recreated, which takes as long as one try.
const MOST_TRIES: usize = 25;

/// A mutant with its position in the report.
type Numbered = (usize, Mutant);
type Judged = (usize, Mutant, Verdict);

/// Runs one worker per database.
///
/// # Errors
/// When psql or the server is gone.
pub(super) async fn judge_all(
    databases: &Databases,
    suite: &Suite,
    journal: &Journal,
    mutants: Vec<Mutant>,
) -> anyhow::Result<Vec<(Mutant, Verdict)>> {
    let bar = ProgressBar::new(mutants.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} mutants  {msg}").context("the bar's template")?,
    );
    let workers: Vec<Worker> = databases
        .copies()
        .iter()
        .map(|database| Worker { databases, database, tries: Cell::new(0), suite, journal, bar: &bar })
        .collect();
    let alone = mutants.into_iter().enumerate().map(|numbered| vec![numbered]).collect();
    let (left, mut judged): (Vec<Judged>, Vec<Judged>) = each(&workers, alone, Worker::judge_alone)
        .await?
        .into_iter()
        .partition(|(.., verdict)| *verdict == Verdict::Survived);
    let mut remaining = Vec::new();
    for (number, mutant, _) in left {
        match journal.known(suite, Stage::Batch, &mutant) {
            Some(verdict) => judged.push((number, mutant, verdict)),
            None => remaining.push((number, mutant)),
        }
    }
    say(&bar, &format!("{} remain for all behavior tests", remaining.len()));
    let batches = batches(remaining);
    judged.extend(each(&workers, batches, Worker::judge_batch).await?);
    bar.finish_and_clear();
    judged.sort_by_key(|(number, ..)| *number);
    Ok(judged.into_iter().map(|(_, mutant, verdict)| (mutant, verdict)).collect())
}

/// The next free worker takes the next batch.
async fn each<'a, 'b>(
    workers: &'a [Worker<'b>],
    batches: Vec<Vec<Numbered>>,
    judge: impl AsyncFn(&'a Worker<'b>, Vec<Numbered>) -> anyhow::Result<Vec<Judged>>,
) -> anyhow::Result<Vec<Judged>> {
    let batches = RefCell::new(VecDeque::from(batches));
    let work = workers.iter().map(|worker| async {
        let mut judged = Vec::new();
        loop {
            let next = batches.borrow_mut().pop_front();
            let Some(batch) = next else { break anyhow::Ok(judged) };
            judged.extend(judge(worker, batch).await?);
        }
    });
    Ok(try_join_all(work).await?.into_iter().flatten().collect())
}

/// Prints a line above the progress bar, or to the log of an unattended run.
fn say(bar: &ProgressBar, line: &str) {
    bar.suspend(|| eprintln!("{line}"));
}

/// Groups mutants with equal keys, and mutants of different subjects that are listed as equivalent, because all tests are
/// expected to pass. The others run alone: nearly all of them are killed, and by a file that runs early.
fn batches(mutants: Vec<Numbered>) -> Vec<Vec<Numbered>> {
    let mut batches: Vec<Vec<Numbered>> = Vec::new();
    for (number, mutant) in mutants {
        let joins = |batch: &&mut Vec<Numbered>| {
            let (_, first) = &batch[0];
            let is_alike = mutant.batch_key == first.batch_key
                && (mutant.batch_key.is_some()
                    || is_equivalent(first)
                        && is_equivalent(&mutant)
                        && batch.iter().all(|(_, other)| other.subject != mutant.subject));
            is_alike && batch.len() < MOST_TOGETHER
        };
        match batches.iter_mut().find(joins) {
            Some(batch) => batch.push((number, mutant)),
            None => batches.push(vec![(number, mutant)]),
        }
    }
    batches
}

fn is_equivalent(mutant: &Mutant) -> bool {
    equivalents::reason(&mutant.name).is_some()
}

/// Exact lists detect extra privileges, but hardly any behavior test can.
fn is_privilege(mutant: &Mutant) -> bool {
    mutant.group == PRIVILEGES
}

fn first_of(mutant: &Mutant) -> Part {
    if is_privilege(mutant) { Part::Catalogue } else { Part::Nearest }
}

fn second_of(mutant: &Mutant) -> Part {
    if is_privilege(mutant) { Part::Nearest } else { Part::Catalogue }
}

struct Worker<'a> {
    databases: &'a Databases,
    database: &'a Database,
    /// Tries since the database was created.
    tries: Cell<usize>,
    suite: &'a Suite,
    journal: &'a Journal,
    bar: &'a ProgressBar,
}

impl Worker<'_> {
    async fn judge_alone(&self, batch: Vec<Numbered>) -> anyhow::Result<Vec<Judged>> {
        let mut judged = Vec::new();
        for (number, mutant) in batch {
            let verdict = match self.journal.known(self.suite, Stage::Alone, &mutant) {
                Some(verdict) => verdict,
                None => self.try_alone(&mutant).await?,
            };
            self.count(u64::from(verdict != Verdict::Survived));
            judged.push((number, mutant, verdict));
        }
        Ok(judged)
    }

    async fn try_alone(&self, mutant: &Mutant) -> anyhow::Result<Verdict> {
        let mut verdict = self.judge(&[mutant], first_of(mutant)).await?;
        if verdict == Verdict::Survived {
            verdict = self.judge(&[mutant], second_of(mutant)).await?;
        }
        self.journal.note(self.suite, Stage::Alone, mutant, &verdict)?;
        Ok(verdict)
    }

    async fn judge_batch(&self, batch: Vec<Numbered>) -> anyhow::Result<Vec<Judged>> {
        let verdicts = by_halves(batch.len(), async |range: Range<usize>| {
            let together: Vec<&Mutant> = batch[range].iter().map(|(_, mutant)| mutant).collect();
            self.judge(&together, Part::Acts).await
        })
        .await?;

        let mut judged = Vec::new();
        for ((number, mutant), verdict) in batch.into_iter().zip(verdicts) {
            if matches!(verdict, Verdict::Survived | Verdict::Impossible(_)) {
                say(self.bar, &format!("{}: not killed", mutant.name));
            }
            self.journal.note(self.suite, Stage::Batch, &mutant, &verdict)?;
            self.count(1);
            judged.push((number, mutant, verdict));
        }
        Ok(judged)
    }

    fn count(&self, mutants: u64) {
        self.bar.inc(mutants);
        if self.bar.is_hidden() && mutants > 0 && self.bar.position().is_multiple_of(100) {
            say(self.bar, &format!("{} of {:?} mutants", self.bar.position(), self.bar.length()));
        }
    }

    async fn judge(&self, mutants: &[&Mutant], part: Part) -> anyhow::Result<Verdict> {
        self.bar.set_message(mutants.first().map_or_else(String::new, |mutant| mutant.subject.clone()));
        let verdict = judge(&self.database.url, self.suite, mutants, part).await?;
        self.tries.update(|tries| tries + 1);
        // The plan tests among them fill the tables.
        if part == Part::Acts || self.tries.get() >= MOST_TRIES {
            self.databases.renew(self.database).await?;
            self.tries.set(0);
        }
        Ok(verdict)
    }
}

/// A range of a batch that still has to be tried.
struct Segment {
    range: Range<usize>,
    is_first_half: bool,
    /// The range contains a killed mutant, so trying all of it is pointless.
    has_killed: bool,
}

/// Finds the verdict of each mutant with as few tries as possible.
async fn by_halves(
    number: usize,
    mut try_together: impl AsyncFnMut(Range<usize>) -> anyhow::Result<Verdict>,
) -> anyhow::Result<Vec<Verdict>> {
    let mut verdicts = vec![Verdict::Survived; number];
    let mut untried = vec![Segment { range: 0..number, is_first_half: false, has_killed: false }];
    // Depth first.
    while let Some(Segment { range, is_first_half, has_killed }) = untried.pop() {
        if !has_killed || range.len() == 1 {
            let verdict = try_together(range.clone()).await?;
            let all_survived = verdict == Verdict::Survived;
            if all_survived || range.len() == 1 {
                if let Some(other_half) = untried.last_mut()
                    && is_first_half
                    && all_survived
                {
                    other_half.has_killed = true;
                }
                verdicts[range].fill(verdict);
                continue;
            }
        }
        let middle = range.start + range.len() / 2;
        untried.push(Segment { range: middle..range.end, is_first_half: false, has_killed: false });
        untried.push(Segment { range: range.start..middle, is_first_half: true, has_killed: false });
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(subject: &str, batch_key: Option<&str>) -> Mutant {
        Mutant {
            group: "",
            subject: subject.to_owned(),
            name: String::new(),
            sql: String::new(),
            batch_key: batch_key.map(str::to_owned),
        }
    }

    fn numbers(mutants: Vec<Mutant>) -> Vec<Vec<usize>> {
        let batches = batches(mutants.into_iter().enumerate().collect());
        batches.iter().map(|batch| batch.iter().map(|(number, _)| *number).collect()).collect()
    }

    #[test]
    fn equal_keys_share_a_batch() {
        let (a, b) = (Some("a"), Some("b"));
        let mutants = [("t", a), ("f", None), ("t", b), ("t", a), ("g", None), ("f", None)];
        let mutants = mutants.map(|(subject, batch_key)| mutant(subject, batch_key)).into();
        assert_eq!(numbers(mutants), [vec![0, 3], vec![1], vec![2], vec![4], vec![5]]);
    }

    #[test]
    fn batch_size_is_limited() {
        let many = (0..=MOST_TOGETHER).map(|_| mutant("t", Some("a"))).collect();
        assert_eq!(numbers(many).len(), 2);
    }

    /// Which of `number` mutants are killed, and in how many tries, if `red` are the killable ones.
    async fn noticed(number: usize, red: &[usize]) -> (Vec<usize>, usize) {
        let mut tries = 0;
        let verdicts = by_halves(number, async |range: Range<usize>| {
            tries += 1;
            let has_killed = red.iter().any(|red| range.contains(red));
            Ok(if has_killed { Verdict::Impossible(String::new()) } else { Verdict::Survived })
        })
        .await
        .unwrap();
        let noticed = (0..number).filter(|at| verdicts[*at] != Verdict::Survived).collect();
        (noticed, tries)
    }

    #[tokio::test]
    async fn halving_finds_exactly_the_killed_mutants() {
        assert_eq!(noticed(100, &[]).await, (vec![], 1));
        assert_eq!(noticed(1, &[0]).await, (vec![0], 1));
        assert_eq!(noticed(8, &[0, 5, 7]).await.0, [0, 5, 7]);
        let (found, tries) = noticed(128, &[127]).await;
        assert_eq!(found, [127]);
        assert!(tries <= 10, "{tries}");
        assert_eq!(noticed(7, &[0, 1, 2, 3, 4, 5, 6]).await.0.len(), 7);
    }
}
