//! Speed of the gateway compared with the physical limit: pgbench sends the statements that the gateway
//! sends, to the same database, in the same run.

mod capture;
mod cases;
mod log_text;
pub mod people;
mod pgbench;
pub mod product;
pub mod report;
mod script;
pub mod wrk;

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use platform::secret::Secret;

use crate::http::{self, Connection};
use crate::machine;
use crate::open_loop::Load;
use crate::statistics::median;
use cases::Case;
use people::People;
use pgbench::Pgbench;
use product::{Product, ProductOptions};
use report::{Rounds, Row};
use script::{Mode, Rotation, Script};

/// Warm-up time before the first round, and before latencies count.
const WARM_UP: u64 = 2;
/// Timeout for a reload of the schema.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: ProductOptions,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// Signs the users' tokens
    #[arg(long, env = "JWT_SECRET", hide_env_values = true)]
    jwt_secret: String,
    /// The program pgbench
    #[arg(long, default_value = "pgbench")]
    pgbench: PathBuf,
    /// Only these cases: one-row, 100-rows, embed, rpc, insert
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Alternations of gateway, pgbench plain and pgbench pipelined; the medians count
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Connections of wrk and pgbench
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Threads of pgbench; wrk has one
    #[arg(long, default_value_t = 2)]
    pgbench_threads: usize,
    /// URL of a PostgREST that serves the same database, to be measured in the same rounds
    #[arg(long)]
    postgrest: Option<String>,
    /// Folder for the captured statements, the scripts and all output of wrk and pgbench
    #[arg(long, default_value = "target/bench-gateway")]
    raw: PathBuf,
}

struct Bench<'a> {
    options: &'a Options,
    product: Product,
    pgbench: Pgbench,
    postgrest: Option<SocketAddr>,
}

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When a program is missing, or a request or a statement fails.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.rounds > 0 && options.seconds > 0 && options.connections > 0, "nothing to measure");
    let product = Product::connect(&options.product).await?;
    let people = People::find(&product.database, Secret::new(&options.jwt_secret)).await?;
    let cases = cases::all(&people, &options.anon_key, &options.only)?;
    let (clients, threads) = (options.connections, options.pgbench_threads);
    let pgbench = Pgbench::prepare(&product.database, &options.pgbench, clients, threads).await?;
    fs::create_dir_all(&options.raw).with_context(|| options.raw.display().to_string())?;
    let postgrest = options.postgrest.as_deref().map(http::address).transpose()?;
    let bench = Bench { options, product, pgbench, postgrest };
    bench.about().await?;
    capture::allow_logging(&bench.product.database).await?;
    let outcome = bench.measure_all(&cases).await;
    capture::forbid_logging(&bench.product.database).await?;
    bench.product.database.batch_execute(&cases::drop_function()).await?;
    pgbench::remove(&bench.product.database).await?;
    outcome
}

impl Bench<'_> {
    async fn about(&self) -> anyhow::Result<()> {
        let row = self
            .product
            .database
            .query_one(
                "select current_setting('server_version'), (select count(*) from app.influencers)",
                &[],
            )
            .await?;
        let (version, influencers): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        println!(
            "{} cores, load average {} before; PostgreSQL {version}, {influencers} influencers; {} connections, \
             {} rounds of {} s each, medians; pgbench with {} threads, wrk with one\n",
            machine::cores(),
            machine::load(),
            self.options.connections,
            self.options.rounds,
            self.options.seconds,
            self.pgbench.threads,
        );
        Ok(())
    }

    async fn measure_all(&self, cases: &[Case]) -> anyhow::Result<bool> {
        if cases.iter().any(|case| case.key == "rpc") {
            self.product.database.batch_execute(&cases::create_function()).await?;
        }
        println!("{}", report::HEADER);
        let (mut broken, mut raw, mut beside) = (Vec::new(), String::new(), String::new());
        let mut show = |row: Row| {
            println!("{}", row.text);
            broken.extend(row.broken);
        };
        for case in cases {
            let rounds = self.measure(case).await.with_context(|| case.name)?;
            show(report::row(case.name, &case.limits, &rounds));
            raw.push_str(&report::raw(case.name, &rounds));
            beside.push_str(&report::beside(case.name, &rounds));
        }
        println!();
        if let Some(megabytes) = self.product.memory_megabytes() {
            show(report::memory(megabytes));
        }
        println!("{beside}load average {} after\n\n{raw}", machine::load());
        self.keep("rounds.txt", &raw)?;
        for what in &broken {
            println!("BROKEN {what}");
        }
        Ok(broken.is_empty())
    }

    async fn measure(&self, case: &Case) -> anyhow::Result<Rounds> {
        let requests: Vec<Vec<u8>> =
            case.requests.iter().map(|request| request.bytes(self.product.address)).collect();
        self.check(case, &requests[0])?;
        let script = self.file(case, "lua");
        wrk::write_script(&script, &case.requests)?;
        let send = |seconds| wrk::measure(self.product.address, &script, self.options.connections, seconds);
        wrk::warm_up(self.product.address, &script, self.options.connections, WARM_UP)?;

        let (plain, pipelined) = self.prepare(case, &requests[0]).await?;
        self.clean_up(case).await?;

        let mut rounds = Rounds::default();
        for round in 1..=self.options.rounds {
            let cpu_before = self.product.cpu_seconds();
            let measured = send(self.options.seconds)?;
            let cpu = self.product.cpu_seconds().zip(cpu_before).map(|(after, before)| after - before);
            rounds.gateway.push(measured.per_second());
            rounds.cpu.extend(cpu.map(|seconds| seconds * 1000.0 / measured.requests));
            self.keep(&format!("{}-{round}-wrk.txt", case.key), &measured.output)?;
            self.clean_up(case).await?;
            for (mode, (file, script), rates) in [
                (Mode::Plain, &plain, &mut rounds.plain),
                (Mode::Pipelined, &pipelined, &mut rounds.pipelined),
            ] {
                let (rate, output) = self.pgbench.measure(file, script, self.options.seconds)?;
                rates.push(rate);
                self.keep(&format!("{}-{round}-pgbench-{}.txt", case.key, mode.name()), &output)?;
                self.clean_up(case).await?;
            }
            if let Some(postgrest) = self.postgrest {
                let measured = self.ask_postgrest(case, postgrest)?;
                rounds.postgrest.push(measured.per_second());
                self.keep(&format!("{}-{round}-postgrest.txt", case.key), &measured.output)?;
                self.clean_up(case).await?;
            }
        }
        rounds.latencies = self.latencies(requests, median(&rounds.gateway) / 2.0)?;
        self.clean_up(case).await?;
        Ok(rounds)
    }

    /// At a constant rate, without those of the warm-up.
    fn latencies(&self, requests: Vec<Vec<u8>>, per_second: f64) -> anyhow::Result<Vec<f64>> {
        let load = Load {
            address: self.product.address,
            requests,
            per_second,
            connections: self.options.connections,
            length: Duration::from_secs(WARM_UP + self.options.seconds),
        };
        let answers = load.run()?;
        let (first, warm_up) = (answers.iter().map(|answer| answer.due).min(), Duration::from_secs(WARM_UP));
        let counted =
            answers.iter().filter(|answer| first.is_some_and(|first| answer.due >= first + warm_up));
        Ok(counted.map(|answer| answer.took).collect())
    }

    /// PostgREST serves tables at the root.
    fn ask_postgrest(&self, case: &Case, address: SocketAddr) -> anyhow::Result<wrk::Measured> {
        let script = self.file(case, "postgrest.lua");
        let mut requests = case.requests.clone();
        for request in &mut requests {
            request.path = request.path.replacen(cases::PREFIX, "", 1);
        }
        wrk::write_script(&script, &requests)?;
        wrk::measure(address, &script, self.options.connections, self.options.seconds).context("PostgREST")
    }

    /// Waits until the gateway has connected again and loaded the schema, and compares the response with what is expected.
    fn check(&self, case: &Case, request: &[u8]) -> anyhow::Result<()> {
        let mut connection = Connection::open(self.product.address)?;
        let until = Instant::now() + RELOAD_TIMEOUT;
        let mut status = connection.exchange(request)?;
        while [404, 503].contains(&status) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(100));
            status = connection.exchange(request)?;
        }
        let body = String::from_utf8_lossy(connection.body());
        ensure!((200..300).contains(&status), "the response is {status}: {body}");
        let rows = match connection.body() {
            [] => None,
            body => Some(serde_json::from_slice::<Vec<serde_json::Value>>(body)?.len()),
        };
        ensure!(rows == case.rows, "the response has {rows:?} rows, expected {:?}", case.rows);
        Ok(())
    }

    /// Finds out what the gateway sends, and writes the scripts that send the same.
    async fn prepare(
        &self,
        case: &Case,
        request: &[u8],
    ) -> anyhow::Result<((PathBuf, Script), (PathBuf, Script))> {
        let statements = capture::statements(&self.product, request, &case.person).await?;
        self.keep(&format!("{}-statements.txt", case.key), &format!("{statements:#?}\n"))?;
        let rotation = (!case.people.is_empty()).then(|| Rotation::new(&statements, &case.people));
        if let Some(rotation) = &rotation {
            pgbench::store(&self.product.database, rotation).await?;
        }
        let script = |mode: Mode| -> anyhow::Result<(PathBuf, Script)> {
            let script = script::build(&statements, mode, rotation.as_ref(), self.pgbench.clients)?;
            let file = self.file(case, &format!("{}.sql", mode.name()));
            fs::write(&file, &script.text)?;
            self.pgbench.try_out(&file, &script)?;
            Ok((file, script))
        };
        Ok((script(Mode::Plain)?, script(Mode::Pipelined)?))
    }

    async fn clean_up(&self, case: &Case) -> anyhow::Result<()> {
        for statement in &case.clean_up {
            self.product.database.batch_execute(statement).await?;
        }
        Ok(())
    }

    fn file(&self, case: &Case, ending: &str) -> PathBuf {
        self.options.raw.join(format!("{}.{ending}", case.key))
    }

    fn keep(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path: &Path = &self.options.raw.join(name);
        fs::write(path, text).with_context(|| path.display().to_string())
    }
}
