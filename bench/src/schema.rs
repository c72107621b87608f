//! How long the gateway takes to reload a schema of many tables, and how long requests take meanwhile.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use tokio::time::sleep;
use tokio_postgres::Client;

use crate::open_loop::{self, Answer};
use crate::statistics::{median, percentile};
use crate::{machine, reader, report};

/// Limits for the reload in seconds, and for the longest request meanwhile in milliseconds.
const MOST_RELOAD: f64 = 2.0;
const MOST_WAIT: f64 = 100.0;
/// Tables per transaction, because each of its tables is locked until it ends.
const CHUNK: usize = 250;
/// Requests for one row during the reload.
const REQUESTS_PER_SECOND: u32 = 200;
const LENGTH: Duration = Duration::from_secs(10);
/// Time before each reload, so that the load is steady when it begins.
const LEAD: Duration = Duration::from_secs(1);
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

/// Returns whether the limits are kept.
///
/// # Errors
/// When the tables can't be created or a request fails.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let (database, http) = (reader::connect(&options.database).await?, reqwest::Client::new());
    println!("{} cores, load average {} before", machine::cores(), machine::load());
    create_tables(&database, options.tables).await?;
    let get = async |path: &str| -> anyhow::Result<u16> {
        let request = http.get(format!("{}/rest/v1/{path}", options.url)).header("apikey", &options.anon_key);
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        answer.bytes().await?;
        Ok(status)
    };
    // The first reload also reads the catalog into PostgreSQL's caches.
    reload(&database, &get, 0).await?;
    let (mut reloads, mut slowest) = (Vec::new(), Vec::new());
    for round in 1..=options.rounds {
        let load = open_loop::run(REQUESTS_PER_SECOND, LENGTH, |_| get("agencies?select=id,name&limit=1"));
        let (answers, reload) = tokio::try_join!(load, async {
            sleep(LEAD).await;
            reload(&database, &get, round).await
        })?;
        let meanwhile = answers.iter().filter(|answer| reload.contains(&answer.due));
        let took: Vec<f64> = meanwhile.map(|Answer { took, .. }| *took).collect();
        let (seconds, longest) = ((reload.end - reload.start).as_secs_f64(), percentile(&took, 1.0));
        let p50 = median(&took);
        println!(
            "reload {round}: {seconds:.2} s; {} requests: p50 {p50:.2} ms, slowest {longest:.1} ms",
            took.len()
        );
        reloads.push(seconds);
        slowest.push(longest);
    }
    let mut broken = Vec::new();
    let (seconds, milliseconds) =
        (|value: f64| format!("{value:.2} s"), |value: f64| format!("{value:.1} ms"));
    println!(
        "reload: {}",
        report::at_most("reload", median(&reloads), Some(MOST_RELOAD), seconds, &mut broken)
    );
    let wait =
        report::at_most("slowest request", median(&slowest), Some(MOST_WAIT), milliseconds, &mut broken);
    println!("slowest request meanwhile: {wait}\nload average {} after", machine::load());
    Ok(report::end(&broken))
}

async fn create_tables(database: &Client, tables: usize) -> anyhow::Result<()> {
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
        database.batch_execute(&create).await.context("creating tables")?;
    }
    Ok(database.batch_execute("analyze").await?)
}

/// Creates a table and waits until the gateway serves it.
async fn reload(
    database: &Client,
    get: &impl AsyncFn(&str) -> anyhow::Result<u16>,
    number: usize,
) -> anyhow::Result<std::ops::Range<Instant>> {
    let table = format!("bench_marker_{number}");
    let create = format!(
        "create table public.{table} (id bigint primary key, half bigint references public.bench_table_1);
         grant select on public.{table} to anon"
    );
    database.batch_execute(&create).await?;
    let began = Instant::now();
    database.batch_execute("notify pgrst, 'reload schema'").await?;
    loop {
        match get(&format!("{table}?limit=1")).await? {
            200 => return Ok(began..Instant::now()),
            404 => ensure!(began.elapsed() < TIMEOUT, "the gateway does not reload the schema"),
            status => anyhow::bail!("a new table got {status}"),
        }
        // The response for a missing table has a hint, which takes time.
        sleep(Duration::from_millis(100)).await;
    }
}
