//! Sends the requests and reports the results.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Context;
use futures::future::join_all;

use super::ground::Ground;
use super::invariants::Before;
use super::oracle::{self, Fault};
use super::request::Request;
use super::wire::{self, Answer, Connection, Unanswered};
use super::{Generator, Options};
use crate::{machine, reader};

/// Number of requests after which accounts and rows are created again, because earlier requests used them up.
const ROUND: u64 = 25_000;
/// Maximum number of slow requests that are repeated alone.
const MOST_REPEATS: usize = 20;
/// Number of routes listed at the end, those that took the most time first.
const MOST_ROUTES: usize = 6;
const MOST_EXAMPLE: usize = 6000;

/// Equal findings are counted, and shown with one example.
type Findings = BTreeMap<(String, Fault), (u64, String)>;

struct Session<'a> {
    options: &'a Options,
    address: String,
    next: Cell<u64>,
    refusals: Cell<u64>,
    findings: RefCell<Findings>,
    /// Responses by the first digit of their status.
    classes: RefCell<[u64; 6]>,
    slow: RefCell<Vec<u64>>,
    /// The number of requests and the seconds for each route.
    took: RefCell<BTreeMap<String, (u64, f64)>>,
}

/// # Errors
/// When the server can't be reached.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let database = reader::connect(&options.database).await?;
    let session = Session {
        options,
        address: options.url.trim_start_matches("http://").trim_end_matches('/').to_owned(),
        next: Cell::new(options.only.unwrap_or(0)),
        refusals: Cell::new(0),
        findings: RefCell::default(),
        classes: RefCell::default(),
        slow: RefCell::default(),
        took: RefCell::default(),
    };
    let before = Before::the_run(&database).await?;
    let memory_before = options.pid.and_then(machine::resident_megabytes);
    println!("seed {}, {} requests, {} connections", options.seed, options.requests, options.connections);
    let began = Instant::now();
    let (end, connections) =
        options.only.map_or((options.requests, options.connections), |only| (only + 1, 1));
    while session.next.get() < end {
        let ground = Rc::new(Ground::prepare(options, &database).await?);
        // A notification tells the gateway about the new tables.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let generator = Generator::new(options.seed, &ground);
        let until = (session.next.get() + ROUND).min(end);
        let work = (0..connections).map(|_| session.work(&generator, &ground, until));
        join_all(work).await.into_iter().collect::<anyhow::Result<()>>()?;
        session.repeat_slow(&generator, &ground).await?;
        println!("{} of {end} requests, {:.0} s", session.next.get(), began.elapsed().as_secs_f64());
    }
    session.look_after(&before, &database, memory_before).await?;
    Ok(session.report(began.elapsed().as_secs_f64()))
}

impl Session<'_> {
    async fn work(&self, generator: &Generator, ground: &Ground, until: u64) -> anyhow::Result<()> {
        let mut connection = Connection::new(&self.address);
        // The result may depend on the previous request on the same connection.
        let mut previous = 0;
        while self.next.get() < until {
            let index = self.next.get();
            self.next.set(index + 1);
            let request = generator.request(index)?;
            let before = previous;
            let example = || format!("request {index}, after {before}: {}", request.command());
            let (faults, response) = if let Some(raw) = &request.raw {
                let (response, is_silent) = wire::send_raw(&self.address, raw).await?;
                (
                    oracle::judge_raw(raw, &response, is_silent, ground),
                    String::from_utf8_lossy(&response).into_owned(),
                )
            } else {
                let (outcome, seconds) = self.send(&mut connection, &request, ground).await;
                self.count(&request, &outcome, seconds);
                if seconds > oracle::SLOW_SECONDS && outcome.is_ok() {
                    self.slow.borrow_mut().push(index);
                }
                previous = index;
                (oracle::judge(&request, &outcome, ground), shown(&outcome))
            };
            if self.options.only.is_some() {
                println!("{}\n\n{response}", example());
            }
            for fault in faults {
                self.add(&request, fault, || format!("{}\n  response: {response:.600}", example()));
            }
        }
        Ok(())
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
        let outcome = connection.send(&message, &request.method).await;
        (outcome, began.elapsed().as_secs_f64())
    }

    fn count(&self, request: &Request, outcome: &Result<Answer, Unanswered>, seconds: f64) {
        if let Ok(answer) = outcome {
            self.classes.borrow_mut()[usize::from(answer.status / 100).min(5)] += 1;
            self.refusals.update(|count| count + u64::from(oracle::is_refusal(answer)));
        }
        let mut took = self.took.borrow_mut();
        let (number, total) = took.entry(request.template.clone()).or_default();
        (*number, *total) = (*number + 1, *total + seconds);
    }

    fn add(&self, request: &Request, fault: Fault, example: impl FnOnce() -> String) {
        let group = (format!("{} {}", request.method, request.template), fault);
        let mut findings = self.findings.borrow_mut();
        let (count, _) =
            findings.entry(group).or_insert_with(|| (0, example().chars().take(MOST_EXAMPLE).collect()));
        *count += 1;
    }

    /// A finding that belongs to no request.
    fn note(&self, kind: &'static str, code: String) {
        let nothing = Request::new("", "", "", super::request::Caller::Nobody);
        self.add(&nothing, Fault { kind, status: 0, code }, String::new);
    }

    /// On a busy machine any request may be slow once. It is a finding if it is slow again when sent alone.
    async fn repeat_slow(&self, generator: &Generator, ground: &Ground) -> anyhow::Result<()> {
        let slow = self.slow.take();
        let mut connection = Connection::new(&self.address);
        for index in slow.iter().take(MOST_REPEATS) {
            let request = generator.request(*index)?;
            let (outcome, seconds) = self.send(&mut connection, &request, ground).await;
            if seconds < oracle::SLOW_SECONDS {
                println!(
                    "request {index} took {seconds:.1} s alone: {} {}",
                    request.method, request.template
                );
                continue;
            }
            let status = outcome.as_ref().map_or(0, |answer| answer.status);
            let fault = Fault { kind: "later than 5 s", status, code: String::new() };
            self.add(&request, fault, || format!("request {index}, {seconds:.1} s: {}", request.command()));
        }
        if slow.len() > MOST_REPEATS {
            println!("{} requests took more than 5 s once: is the machine busy?", slow.len());
        }
        Ok(())
    }

    /// Memory, panics in the log, and properties that no request may change.
    async fn look_after(
        &self,
        before: &Before,
        database: &tokio_postgres::Client,
        memory_before: Option<u64>,
    ) -> anyhow::Result<()> {
        if let (Some(pid), Some(before)) = (self.options.pid, memory_before) {
            match machine::resident_megabytes(pid) {
                None => self.note("the server's process is gone", String::new()),
                Some(now) => {
                    println!("the server's memory: {before} MB before, {now} MB after");
                    if now.saturating_sub(before) > self.options.most_growth {
                        self.note("memory grew", format!("{before} MB → {now} MB"));
                    }
                }
            }
        }
        if let Some(path) = &self.options.log {
            let log = std::fs::read(path).with_context(|| path.display().to_string())?;
            for line in String::from_utf8_lossy(&log).lines().filter(|line| line.contains("panicked at")) {
                self.note("panic", line.to_owned());
            }
        }
        for line in before.broken(database, self.options).await? {
            self.note("broken invariant", line);
        }
        Ok(())
    }

    /// Prints the findings, and returns whether there are none.
    fn report(&self, seconds: f64) -> bool {
        let (findings, classes) = (self.findings.borrow(), self.classes.borrow());
        for ((route, Fault { kind, status, code }), (count, example)) in findings.iter() {
            println!("\n{kind}: {route} → {status} {code} ({count} times)\n  {example}");
        }
        let mut routes: Vec<_> = self.took.take().into_iter().collect();
        routes.sort_by(|(_, (_, one)), (_, (_, other))| other.total_cmp(one));
        for (route, (number, seconds)) in routes.iter().take(MOST_ROUTES) {
            println!("{seconds:>6.1} s in {number:>6} × {route}");
        }
        println!(
            "seed {}: {seconds:.1} s: {} 2xx, {} 3xx, {} 4xx, {} 5xx of which {} refused as busy; {} groups of findings",
            self.options.seed,
            classes[2],
            classes[3],
            classes[4],
            classes[5],
            self.refusals.get(),
            findings.len()
        );
        findings.is_empty()
    }
}

fn shown(outcome: &Result<Answer, Unanswered>) -> String {
    match outcome {
        Ok(answer) => format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)),
        Err(error) => format!("{} {error}", error.kind()),
    }
}
