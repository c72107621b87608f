//! Sends the requests and reports the results.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Context;
use futures::future::join_all;

use super::findings::{Findings, Group};
use super::ground::Ground;
use super::invariants::Before;
use super::oracle::{self, Fault};
use super::raw;
use super::request::Request;
use super::wire::{Answer, Connection, Unanswered};
use super::{Attack, Options, generate};
use crate::machine;
use crate::reader;

/// Number of requests after which accounts and rows are created again, because earlier requests used them up.
const ROUND: u64 = 25_000;
/// Timeout of a request.
const WAIT: Duration = Duration::from_secs(30);
const RAW_WAIT: Duration = Duration::from_secs(5);
const PROGRESS: Duration = Duration::from_secs(10);
/// Maximum number of slow requests that are repeated alone.
const MOST_REPEATS: usize = 20;
/// Number of routes listed at the end, those that took the most time first.
const MOST_ROUTES: usize = 6;

struct Session<'a> {
    options: &'a Options,
    address: String,
    next: Cell<u64>,
    done: Cell<u64>,
    refusals: Cell<u64>,
    findings: RefCell<Findings>,
    /// Responses by the first digit of their status.
    classes: RefCell<[u64; 6]>,
    slow: RefCell<Vec<(u64, f64)>>,
    /// The number of requests and the seconds for each route.
    took: RefCell<BTreeMap<&'static str, (u64, f64)>>,
    began: Instant,
    told: Cell<Instant>,
}

/// # Errors
/// When the server can't be reached.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let database = reader::connect(&options.database).await?;
    let address = options.url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let session = Session {
        options,
        address,
        next: Cell::new(0),
        done: Cell::new(0),
        refusals: Cell::new(0),
        findings: RefCell::default(),
        classes: RefCell::default(),
        slow: RefCell::default(),
        took: RefCell::default(),
        began: Instant::now(),
        told: Cell::new(Instant::now()),
    };
    let before = Before::the_run(&database).await?;
    let mut ground = Ground::prepare(options, &database).await?;
    // A notification tells the gateway about the new tables.
    tokio::time::sleep(Duration::from_secs(1)).await;
    if let Some(index) = options.only {
        return session.only(index, &ground).await;
    }
    println!("seed {}, {} requests, {} connections", options.seed, options.requests, options.connections);
    let memory_before = options.pid.and_then(machine::resident_megabytes);
    session.told.set(Instant::now());
    let mut until = ROUND.min(options.requests);
    loop {
        join_all((0..options.connections).map(|_| session.work(&ground, until))).await;
        session.repeat_slow(&ground).await;
        if until >= options.requests {
            break;
        }
        until = (until + ROUND).min(options.requests);
        ground = Ground::prepare(options, &database).await?;
    }
    session.after(&before, &database, memory_before).await
}

impl Session<'_> {
    async fn work(&self, ground: &Ground, until: u64) {
        let mut connection = Connection::new(&self.address);
        // The result may depend on the previous request on the same connection.
        let mut previous = 0;
        while self.next.get() < until {
            let index = self.next.get();
            self.next.set(index + 1);
            match generate(self.options.seed, index, ground) {
                Attack::Http(request) => {
                    let (outcome, seconds) = self.send(&mut connection, &request, ground).await;
                    if let Ok(answer) = &outcome {
                        self.classes.borrow_mut()[usize::from(answer.status / 100).min(5)] += 1;
                    }
                    let mut took = self.took.borrow_mut();
                    let (number, total) = took.entry(request.template).or_insert((0, 0.0));
                    (*number, *total) = (*number + 1, *total + seconds);
                    drop(took);
                    self.judge((index, previous), &request, &outcome, seconds, ground);
                    previous = index;
                }
                Attack::Raw(case) => match raw::send(&self.address, &case, RAW_WAIT).await {
                    Ok(response) => {
                        for fault in oracle::judge_raw(&case, &response, ground) {
                            let group = Group { method: "raw", template: case.kind.to_owned(), fault };
                            let example =
                                || (case.command(), String::from_utf8_lossy(&response.bytes).into_owned());
                            self.findings.borrow_mut().add(group, index, example);
                        }
                    }
                    Err(error) => self.note("no connection", "raw", error.to_string(), index),
                },
            }
            self.done.set(self.done.get() + 1);
            self.progress();
        }
    }

    async fn send(
        &self,
        connection: &mut Connection,
        request: &Request,
        ground: &Ground,
    ) -> (Result<Answer, Unanswered>, f64) {
        let token = ground.tokens.get(&request.caller).map(String::as_str);
        let message = request.bytes(&self.address, &self.options.anon_key, token);
        let began = Instant::now();
        let outcome = connection.send(&message, request.method, WAIT).await;
        (outcome, began.elapsed().as_secs_f64())
    }

    fn judge(
        &self,
        (index, previous): (u64, u64),
        request: &Request,
        outcome: &Result<Answer, Unanswered>,
        seconds: f64,
        ground: &Ground,
    ) {
        let verdict = oracle::judge(request, outcome, seconds, ground);
        if verdict.is_refusal {
            self.refusals.set(self.refusals.get() + 1);
        }
        if verdict.is_slow && outcome.is_ok() {
            self.slow.borrow_mut().push((index, seconds));
        }
        for fault in verdict.faults {
            let group = Group { method: request.method, template: request.template.to_owned(), fault };
            self.findings.borrow_mut().add(group, index, || {
                (request.curl(), format!("(after request {previous}) {}", shown(outcome)))
            });
        }
    }

    /// On a busy machine any request may be slow once. It is a finding if it is slow again when sent alone.
    async fn repeat_slow(&self, ground: &Ground) {
        let slow = self.slow.take();
        let mut connection = Connection::new(&self.address);
        for (index, first) in slow.iter().take(MOST_REPEATS) {
            let Attack::Http(request) = generate(self.options.seed, *index, ground) else { continue };
            let (outcome, seconds) = self.send(&mut connection, &request, ground).await;
            if seconds < oracle::SLOW_SECONDS {
                println!(
                    "request {index} took {first:.1} s once and {seconds:.1} s alone: {} {}",
                    request.method, request.template
                );
                continue;
            }
            let status = outcome.as_ref().map_or(0, |answer| answer.status);
            let fault = Fault { kind: "later than 5 s", status, code: String::new() };
            let group = Group { method: request.method, template: request.template.to_owned(), fault };
            let answer = || (request.curl(), format!("{seconds:.1} s: {}", shown(&outcome)));
            self.findings.borrow_mut().add(group, *index, answer);
        }
        if slow.len() > MOST_REPEATS {
            println!("{} requests took more than 5 s once: is the machine busy?", slow.len());
        }
    }

    fn note(&self, kind: &'static str, template: &str, code: String, index: u64) {
        let group =
            Group { method: "", template: template.to_owned(), fault: Fault { kind, status: 0, code } };
        self.findings.borrow_mut().add(group, index, || (String::new(), String::new()));
    }

    fn progress(&self) {
        if self.told.get().elapsed() < PROGRESS {
            return;
        }
        self.told.set(Instant::now());
        let (done, findings) = (self.done.get(), self.findings.borrow());
        let rate = done as f64 / self.began.elapsed().as_secs_f64();
        let memory = self.options.pid.and_then(machine::resident_megabytes).unwrap_or(0);
        println!(
            "{done} of {} requests, {rate:.0}/s, {} findings in {} groups, server at {memory} MB",
            self.options.requests,
            findings.count,
            findings.groups()
        );
    }

    async fn after(
        &self,
        before: &Before,
        database: &tokio_postgres::Client,
        memory_before: Option<u64>,
    ) -> anyhow::Result<bool> {
        let took = self.began.elapsed().as_secs_f64();
        if let (Some(pid), Some(before)) = (self.options.pid, memory_before) {
            match machine::resident_megabytes(pid) {
                None => self.note("the server's process is gone", "", String::new(), self.done.get()),
                Some(now) => {
                    println!("the server's memory: {before} MB before, {now} MB after");
                    if now.saturating_sub(before) > self.options.most_growth {
                        self.note("memory grew", "", format!("{before} MB → {now} MB"), self.done.get());
                    }
                }
            }
        }
        if let Some(path) = &self.options.log {
            let log = std::fs::read(path).with_context(|| path.display().to_string())?;
            for line in String::from_utf8_lossy(&log).lines().filter(|line| line.contains("panicked at")) {
                self.note("panic", "", line.to_owned(), self.done.get());
            }
        }
        for line in before.broken(database, self.options).await? {
            self.note("broken invariant", "", line, self.done.get());
        }
        let (findings, classes) = (self.findings.borrow(), self.classes.borrow());
        println!("{findings}");
        let mut routes: Vec<_> = self.took.take().into_iter().collect();
        routes.sort_by(|(_, (_, one)), (_, (_, other))| other.total_cmp(one));
        for (route, (number, seconds)) in routes.iter().take(MOST_ROUTES) {
            println!("{seconds:>6.1} s in {number:>6} × {route}");
        }
        println!(
            "seed {}: {} requests in {took:.1} s ({:.0}/s): {} 2xx, {} 3xx, {} 4xx, {} 5xx of which {} refused as busy; \
             {} findings in {} groups",
            self.options.seed,
            self.done.get(),
            self.done.get() as f64 / took,
            classes[2],
            classes[3],
            classes[4],
            classes[5],
            self.refusals.get(),
            findings.count,
            findings.groups()
        );
        Ok(findings.is_empty())
    }

    async fn only(&self, index: u64, ground: &Ground) -> anyhow::Result<bool> {
        match generate(self.options.seed, index, ground) {
            Attack::Http(request) => {
                println!("{}\n", request.curl());
                let (outcome, seconds) =
                    self.send(&mut Connection::new(&self.address), &request, ground).await;
                println!("{seconds:.2} s: {}", shown(&outcome));
                self.judge((index, 0), &request, &outcome, seconds, ground);
            }
            Attack::Raw(case) => {
                println!("{}\n", case.command());
                let response = raw::send(&self.address, &case, RAW_WAIT).await?;
                println!("{:.2} s: {}", response.seconds, String::from_utf8_lossy(&response.bytes));
                for fault in oracle::judge_raw(&case, &response, ground) {
                    self.note(fault.kind, case.kind, fault.code, index);
                }
            }
        }
        println!("{}", self.findings.borrow());
        Ok(self.findings.borrow().is_empty())
    }
}

fn shown(outcome: &Result<Answer, Unanswered>) -> String {
    match outcome {
        Ok(answer) => format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)),
        Err(error) => error.to_string(),
    }
}
