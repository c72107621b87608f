//! How long the gateway takes to reload a schema of many tables, and how long requests take meanwhile.

use std::net::SocketAddr;
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use tokio_postgres::Client;

use crate::http::{self, Connection, Request};
use crate::machine;
use crate::open_loop::Load;
use crate::reader;
use crate::statistics::{largest, median, percentile};

const MOST_RELOAD: Duration = Duration::from_secs(2);
/// Longest request during a reload, in milliseconds.
const MOST_WAIT: f64 = 100.0;
/// Tables per transaction, because each of its tables is locked until it ends.
const CHUNK: usize = 250;
/// Requests for one row during the reload.
const REQUESTS_PER_SECOND: f64 = 200.0;
const CONNECTIONS: usize = 4;
/// Time before each reload, so that the load is steady when it begins.
const LEAD: Duration = Duration::from_secs(1);
const LENGTH: Duration = Duration::from_secs(10);
/// How often to check whether the new table is served. The response for a missing table has a hint, which
/// takes time.
const POLL: Duration = Duration::from_millis(100);
const TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Args)]
pub struct Options {
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// Superuser URL of the database
    #[arg(long, env = "DB_URL", hide_env_values = true)]
    database: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// How many tables to create, each with two foreign keys
    #[arg(long, default_value_t = 10_000)]
    tables: usize,
    /// Number of reloads; the median counts
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

struct Bench {
    address: SocketAddr,
    anon_key: String,
    database: Client,
}

/// Returns whether the limits are kept.
///
/// # Errors
/// When the tables can't be created or a request fails.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let database = reader::connect(&options.database).await?;
    let bench = Bench { address: http::address(&options.url)?, anon_key: options.anon_key.clone(), database };
    println!("{} cores, load average {} before", machine::cores(), machine::load());
    let began = Instant::now();
    bench.create_tables(options.tables).await?;
    println!("{} tables created in {} s", options.tables, began.elapsed().as_secs());
    // The first reload also reads the catalog into PostgreSQL's caches.
    bench.reload(0).await?;

    let quiet: Vec<f64> = bench.load().run()?.iter().map(|answer| answer.took).collect();
    println!("quiet: p50 {:.2} ms, slowest {:.1} ms", median(&quiet), largest(&quiet));
    let (mut reloads, mut slowest) = (Vec::new(), Vec::new());
    for round in 1..=options.rounds {
        let (reload, took) = bench.reload_under_load(round).await?;
        println!(
            "reload {round}: {:.2} s; {} requests meanwhile: p50 {:.2} ms, p99 {:.2} ms, slowest {:.1} ms",
            reload.as_secs_f64(),
            took.len(),
            median(&took),
            percentile(&took, 0.99),
            largest(&took)
        );
        reloads.push(reload.as_secs_f64());
        slowest.push(largest(&took));
    }
    let (reload, wait) = (median(&reloads), median(&slowest));
    let mark = |is_kept: bool| if is_kept { "" } else { "  BROKEN" };
    let (reload_kept, wait_kept) = (reload <= MOST_RELOAD.as_secs_f64(), wait <= MOST_WAIT);
    println!("reload: {reload:.2} s (at most {} s){}", MOST_RELOAD.as_secs(), mark(reload_kept));
    println!("slowest request meanwhile: {wait:.1} ms (at most {MOST_WAIT} ms){}", mark(wait_kept));
    println!("load average {} after", machine::load());
    Ok(reload_kept && wait_kept)
}

impl Bench {
    async fn create_tables(&self, tables: usize) -> anyhow::Result<()> {
        for first in (1..=tables).step_by(CHUNK) {
            let last = (first + CHUNK - 1).min(tables);
            let create = format!(
                "do $$ begin
                   for n in {first}..{last} loop
                     execute format(
                       'create table public.bench_table_%s (id bigint primary key, name text not null,
                        created_at timestamptz not null default now(),
                        previous bigint references public.bench_table_%s, half bigint references public.bench_table_%s)',
                       n, greatest(n - 1, 1), greatest(n / 2, 1));
                   end loop;
                 end $$"
            );
            self.database.batch_execute(&create).await.context("creating tables")?;
        }
        self.database.batch_execute("analyze").await?;
        Ok(())
    }

    /// Creates a table and waits until the gateway serves it.
    async fn reload(&self, number: usize) -> anyhow::Result<Range<Instant>> {
        let table = format!("bench_marker_{number}");
        let create = format!(
            "create table public.{table} (id bigint primary key, half bigint references public.bench_table_1);
             grant select on public.{table} to anon"
        );
        self.database.batch_execute(&create).await?;
        let mut connection = Connection::open(self.address)?;
        let request = self.get(&format!("/rest/v1/{table}?limit=1"));
        let began = Instant::now();
        self.database.batch_execute("notify pgrst, 'reload schema'").await?;
        loop {
            match connection.exchange(&request)? {
                200 => return Ok(began..Instant::now()),
                404 => ensure!(began.elapsed() < TIMEOUT, "the gateway does not reload the schema"),
                status => anyhow::bail!("a new table got {status}"),
            }
            thread::sleep(POLL);
        }
    }

    /// How long the reload took, and the latencies of all requests that were due meanwhile.
    async fn reload_under_load(&self, number: usize) -> anyhow::Result<(Duration, Vec<f64>)> {
        let load = self.load();
        let requests = thread::spawn(move || load.run());
        thread::sleep(LEAD);
        let reload = self.reload(number).await?;
        let answers = requests.join().ok().context("the load panicked")??;
        let meanwhile = answers.iter().filter(|answer| reload.contains(&answer.due));
        Ok((reload.end - reload.start, meanwhile.map(|answer| answer.took).collect()))
    }

    fn load(&self) -> Load {
        Load {
            address: self.address,
            requests: vec![self.get("/rest/v1/agencies?select=id,name&limit=1")],
            per_second: REQUESTS_PER_SECOND,
            connections: CONNECTIONS,
            length: LENGTH,
        }
    }

    fn get(&self, path: &str) -> Vec<u8> {
        let headers = vec![("apikey", self.anon_key.clone())];
        Request { method: "GET", path: path.to_owned(), headers, body: String::new() }.bytes(self.address)
    }
}
