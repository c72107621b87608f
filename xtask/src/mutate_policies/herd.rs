//! All mutants, by several workers. Each is tried alone in the acts nearest to it, where most are noticed, and by the
//! queries on the catalogue. The few that are left stand together for all acts: if those stay green, they are through
//! with the whole herd; else each half is tried, down to those that are noticed.

use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};
use std::ops::Range;

use anyhow::Context;
use futures::future::try_join_all;
use indicatif::{ProgressBar, ProgressStyle};

use super::databases::{Database, Databases};
use super::journal::{Journal, Stage};
use super::judge::{Verdict, judge};
use super::suite::{Part, Suite};
use super::{Mutant, PRIVILEGES};

const MOST_TOGETHER: usize = 64;
/// Then a database is made anew, which takes as long as one try.
const MOST_TRIES: usize = 25;

/// A mutant and its place in the report.
type Numbered = (usize, Mutant);
type Judged = (usize, Mutant, Verdict);

/// A worker for each database.
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
    let mut strangers = Vec::new();
    for (number, mutant, _) in left {
        match journal.known(suite, Stage::Herd, &mutant) {
            Some(verdict) => judged.push((number, mutant, verdict)),
            None => strangers.push((number, mutant)),
        }
    }
    say(&bar, &format!("{} are left for all acts", strangers.len()));
    let herds = herds(strangers);
    judged.extend(each(&workers, herds, Worker::judge_herd).await?);
    bar.finish_and_clear();
    judged.sort_by_key(|(number, ..)| *number);
    Ok(judged.into_iter().map(|(_, mutant, verdict)| (mutant, verdict)).collect())
}

/// Whoever is free takes the next herd.
async fn each<'a, 'b>(
    workers: &'a [Worker<'b>],
    herds: Vec<Vec<Numbered>>,
    judge: impl AsyncFn(&'a Worker<'b>, Vec<Numbered>) -> anyhow::Result<Vec<Judged>>,
) -> anyhow::Result<Vec<Judged>> {
    let herds = RefCell::new(VecDeque::from(herds));
    let work = workers.iter().map(|worker| async {
        let mut judged = Vec::new();
        loop {
            let next = herds.borrow_mut().pop_front();
            let Some(herd) = next else { break anyhow::Ok(judged) };
            judged.extend(judge(worker, herd).await?);
        }
    });
    Ok(try_join_all(work).await?.into_iter().flatten().collect())
}

/// A line above the bar, or in the log of a run that nobody watches.
fn say(bar: &ProgressBar, line: &str) {
    bar.suspend(|| eprintln!("{line}"));
}

/// Kin together; the others with whom they do not get in each other's way: one of each subject.
fn herds(mutants: Vec<Numbered>) -> Vec<Vec<Numbered>> {
    let mut herds: Vec<Vec<Numbered>> = Vec::new();
    for (number, mutant) in mutants {
        let joins = |herd: &&mut Vec<Numbered>| {
            let (_, first) = &herd[0];
            let subjects: HashSet<&String> = herd.iter().map(|(_, mutant)| &mutant.subject).collect();
            first.kin == mutant.kin
                && herd.len() < MOST_TOGETHER
                && (mutant.kin.is_some() || !subjects.contains(&mutant.subject))
        };
        match herds.iter_mut().find(joins) {
            Some(herd) => herd.push((number, mutant)),
            None => herds.push(vec![(number, mutant)]),
        }
    }
    herds
}

/// A privilege too many stands in an exact list, and hardly any act can tell it from another.
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
    /// Since the database was new.
    tries: Cell<usize>,
    suite: &'a Suite,
    journal: &'a Journal,
    bar: &'a ProgressBar,
}

impl Worker<'_> {
    async fn judge_alone(&self, herd: Vec<Numbered>) -> anyhow::Result<Vec<Judged>> {
        let mut judged = Vec::new();
        for (number, mutant) in herd {
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

    async fn judge_herd(&self, herd: Vec<Numbered>) -> anyhow::Result<Vec<Judged>> {
        let verdicts = by_halves(herd.len(), async |range: Range<usize>| {
            let together: Vec<&Mutant> = herd[range].iter().map(|(_, mutant)| mutant).collect();
            self.judge(&together, Part::Acts).await
        })
        .await?;

        let mut judged = Vec::new();
        for ((number, mutant), mut verdict) in herd.into_iter().zip(verdicts) {
            if verdict == Verdict::Survived && mutant.kin.is_none() {
                // Strangers may have hidden what it does.
                verdict = self.judge(&[&mutant], Part::Acts).await?;
            }
            if matches!(verdict, Verdict::Survived | Verdict::Impossible(_)) {
                say(self.bar, &format!("{}: not noticed", mutant.name));
            }
            self.journal.note(self.suite, Stage::Herd, &mutant, &verdict)?;
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
        // The plans among the acts fill the tables.
        if part == Part::Acts || self.tries.get() >= MOST_TRIES {
            self.databases.renew(self.database).await?;
            self.tries.set(0);
        }
        Ok(verdict)
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

    fn mutant(subject: &str, kin: Option<&str>) -> Mutant {
        Mutant {
            group: "",
            subject: subject.to_owned(),
            name: String::new(),
            sql: String::new(),
            kin: kin.map(str::to_owned),
        }
    }

    fn numbers(mutants: Vec<Mutant>) -> Vec<Vec<usize>> {
        let herds = herds(mutants.into_iter().enumerate().collect());
        herds.iter().map(|herd| herd.iter().map(|(number, _)| *number).collect()).collect()
    }

    #[test]
    fn kin_stand_together_and_strangers_of_different_subjects() {
        let (a, b) = (Some("a"), Some("b"));
        let mutants = [("t", a), ("f", None), ("t", b), ("t", a), ("g", None), ("f", None)];
        let mutants = mutants.map(|(subject, kin)| mutant(subject, kin)).into();
        assert_eq!(numbers(mutants), [vec![0, 3], vec![1, 4], vec![2], vec![5]]);
    }

    #[test]
    fn a_herd_has_an_end() {
        let many = (0..=MOST_TOGETHER).map(|_| mutant("t", Some("a"))).collect();
        assert_eq!(numbers(many).len(), 2);
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
