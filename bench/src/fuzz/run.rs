//! Sends the requests and reports the results.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Context;
use futures::future::join_all;

use super::ground::Ground;
use super::invariants::Before;
use super::oracle::{self, Fault};
use super::request::Request;
use super::wire::{self, Answer, Connection, Unanswered};
use super::{Generator, Options};
use crate::machine;

/// Number of concurrent connections.
const CONNECTIONS: usize = 16;
/// Maximum growth of the server's memory, in megabytes.
const MOST_GROWTH: u64 = 400;
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
}

/// # Errors
/// When the server can't be reached.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let database = options.product.sql().await?;
    let session = Session {
        options,
        address: options.product.url.trim_start_matches("http://").to_owned(),
        next: Cell::new(options.only.unwrap_or(0)),
        refusals: Cell::new(0),
        findings: RefCell::default(),
        classes: RefCell::default(),
    };
    let before = Before::the_run(&database).await?;
    let memory_before = machine::resident_megabytes(options.product.pid).unwrap_or_default();
    let began = Instant::now();
    let (end, connections) = options.only.map_or((options.requests, CONNECTIONS), |only| (only + 1, 1));
    let ground = Ground::prepare(&options.product, &database).await?;
    // A notification tells the gateway about the new tables.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let generator = Generator { seed: options.seed, ground: &ground };
    let work = (0..connections).map(|_| session.work(&generator, end));
    join_all(work).await.into_iter().collect::<anyhow::Result<()>>()?;
    session.look_after(&before, &database, memory_before).await?;
    Ok(session.report(began.elapsed().as_secs_f64()))
}

impl Session<'_> {
    async fn work(&self, generator: &Generator<'_>, until: u64) -> anyhow::Result<()> {
        let ground = generator.ground;
        let mut connection = Connection::new(&self.address);
        // The result may depend on the previous request on the same connection.
        let mut previous = 0;
        while self.next.get() < until {
            let index = self.next.get();
            self.next.set(index + 1);
            let request = generator.request(index)?;
            let before = previous;
            let example = || {
                let message = self.message(&request, ground);
                format!("request {index}, after {before}: {}", message.escape_ascii())
            };
            let (faults, response) = if let Some(raw) = &request.raw {
                let (response, is_silent) = wire::send_raw(&self.address, raw).await?;
                (
                    oracle::judge_raw(raw, &response, is_silent, ground),
                    String::from_utf8_lossy(&response).into_owned(),
                )
            } else {
                let (mut outcome, mut seconds) = self.send(&mut connection, &request, ground).await;
                if seconds > oracle::SLOW_SECONDS {
                    // On a busy machine any request may be slow once.
                    (outcome, seconds) = self.send(&mut connection, &request, ground).await;
                }
                self.count(&outcome);
                previous = index;
                (oracle::judge(&request, &outcome, seconds, ground), shown(&outcome))
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

    fn message(&self, request: &Request, ground: &Ground) -> Vec<u8> {
        let token = ground.tokens.get(&request.caller).map(String::as_str);
        request.bytes(&self.address, &self.options.product.anon_key, token)
    }

    async fn send(
        &self,
        connection: &mut Connection,
        request: &Request,
        ground: &Ground,
    ) -> (Result<Answer, Unanswered>, f64) {
        let message = self.message(request, ground);
        let began = Instant::now();
        let outcome = connection.send(&message, &request.method).await;
        (outcome, began.elapsed().as_secs_f64())
    }

    fn count(&self, outcome: &Result<Answer, Unanswered>) {
        if let Ok(answer) = outcome {
            self.classes.borrow_mut()[usize::from(answer.status / 100).min(5)] += 1;
            self.refusals.update(|count| count + u64::from(oracle::is_refusal(answer)));
        }
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

    /// Memory, panics in the log, and properties that no request may change.
    async fn look_after(
        &self,
        before: &Before,
        database: &tokio_postgres::Client,
        memory_before: u64,
    ) -> anyhow::Result<()> {
        match machine::resident_megabytes(self.options.product.pid) {
            None => self.note("the server's process is gone", String::new()),
            Some(now) => {
                println!("the server's memory: {memory_before} MB before, {now} MB after");
                if now.saturating_sub(memory_before) > MOST_GROWTH {
                    self.note("memory grew", format!("{memory_before} MB → {now} MB"));
                }
            }
        }
        let path = self.options.product.log.as_ref().context("--log")?;
        let log = std::fs::read(path).with_context(|| path.display().to_string())?;
        for line in String::from_utf8_lossy(&log).lines().filter(|line| line.contains("panicked at")) {
            self.note("panic", line.to_owned());
        }
        for line in before.broken(database, &self.options.product).await? {
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
        Err(error) => format!("{} {}", error.kind, error.detail),
    }
}
