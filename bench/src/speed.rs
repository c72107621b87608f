//! Speed of the gateway compared with the physical limit: pgbench sends the statements that the gateway sends, one after the
//! other, to the same database, in the same run.

mod capture;
mod cases;
mod log_text;
mod pgbench;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use platform::secret::Secret;

use crate::people::People;
use crate::product::{Product, ProductOptions};
use crate::statistics::median;
use crate::{machine, report, wrk};
use cases::Case;
use pgbench::Pgbench;

const WARM_UP: u64 = 2;
/// Memory limit of the whole process after the load, in megabytes.
const MOST_MEMORY: f64 = 60.0;
const HEADER: &str = "\
| case | gateway | pgbench | of pgbench | own CPU | PostgREST |
|---|---|---|---|---|---|";

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
    /// Alternations of gateway and pgbench; the medians count
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Connections of wrk and pgbench
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// URL of a PostgREST that serves the same database, to be measured in the same rounds
    #[arg(long)]
    postgrest: Option<String>,
    /// Folder for the captured statements, the scripts and all output of wrk and pgbench
    #[arg(long, default_value = "target/bench-gateway")]
    raw: PathBuf,
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
    fs::create_dir_all(&options.raw).with_context(|| options.raw.display().to_string())?;
    let pgbench = Pgbench::prepare(&product.database, &options.pgbench, options.connections).await?;
    product.database.batch_execute(&cases::create_function()).await?;
    capture::allow_logging(&product.database).await?;
    let outcome = measure_all(options, &product, &pgbench, &cases).await;
    capture::forbid_logging(&product.database).await?;
    product.database.batch_execute(&cases::drop_function()).await?;
    pgbench::remove(&product.database).await?;
    outcome
}

async fn measure_all(
    options: &Options,
    product: &Product,
    pgbench: &Pgbench,
    cases: &[Case],
) -> anyhow::Result<bool> {
    println!(
        "{} cores, load average {} before; {} connections, {} rounds of {} s each, medians; pgbench with two threads, wrk \
         with one\n\n{HEADER}",
        machine::cores(),
        machine::load(),
        options.connections,
        options.rounds,
        options.seconds,
    );
    let mut broken = Vec::new();
    for case in cases {
        println!(
            "{}",
            measure(options, product, pgbench, case, &mut broken).await.with_context(|| case.name)?
        );
    }
    let memory = machine::proportional_megabytes(product.pid);
    let shown = |value: f64| format!("{value:.1} MB");
    println!(
        "\nMemory after the load: {}",
        report::at_most("memory", memory, Some(MOST_MEMORY), shown, &mut broken)
    );
    println!("load average {} after", machine::load());
    Ok(report::end(&broken))
}

async fn measure(
    options: &Options,
    product: &Product,
    pgbench: &Pgbench,
    case: &Case,
    broken: &mut Vec<String>,
) -> anyhow::Result<String> {
    let file = |ending: &str| options.raw.join(format!("{}.{ending}", case.key));
    case.check(&product.url).await?;
    let (script, for_postgrest) = (file("lua"), file("postgrest.lua"));
    wrk::write_script(&script, &case.requests)?;
    // PostgREST serves tables at the root.
    let mut requests = case.requests.clone();
    requests.iter_mut().for_each(|request| request.path = request.path.replacen(cases::PREFIX, "", 1));
    wrk::write_script(&for_postgrest, &requests)?;
    wrk::warm_up(&product.url, &script, options.connections, WARM_UP)?;

    let statements = capture::statements(product, &case.requests[0], &case.person).await?;
    fs::write(file("statements.txt"), format!("{statements:#?}\n"))?;
    let transactions =
        pgbench.transactions(&product.database, &statements, &case.people, &file("sql")).await?;
    let clean_up = async || {
        for statement in &case.clean_up {
            product.database.batch_execute(statement).await?;
        }
        anyhow::Ok(())
    };
    clean_up().await?;
    let (mut gateway, mut plain, mut cpu, mut postgrest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let before = machine::cpu_seconds(product.pid);
        let measured = wrk::measure(&product.url, &script, options.connections, options.seconds)?;
        let spent = machine::cpu_seconds(product.pid).zip(before).map(|(after, before)| after - before);
        gateway.push(measured.per_second());
        cpu.extend(spent.map(|seconds| seconds * 1000.0 / measured.requests));
        clean_up().await?;
        plain.push(transactions.per_second(options.seconds)?);
        clean_up().await?;
        if let Some(url) = &options.postgrest {
            let measured = wrk::measure(url, &for_postgrest, options.connections, options.seconds)?;
            postgrest.push(measured.per_second());
            clean_up().await?;
        }
    }
    let (rate, limit) = (median(&gateway), median(&plain));
    let share =
        report::at_least(&format!("{}, of pgbench", case.name), rate / limit, Some(case.share), broken);
    let shown = |value: f64| format!("{value:.3} ms");
    let cpu = report::at_most(&format!("{}, own CPU", case.name), median(&cpu), case.cpu, shown, broken);
    let postgrest = if postgrest.is_empty() { String::new() } else { format!("{:.0}/s", median(&postgrest)) };
    Ok(format!("| {} | {rate:.0}/s | {limit:.0}/s | {share} | {cpu} | {postgrest} |", case.name))
}
