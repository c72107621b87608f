//! Speed of the gateway compared with the physical limit: pgbench sends the statements that the gateway sends, one after the
//! other, to the same database, in the same run.

mod capture;
mod cases;
mod log_text;
mod pgbench;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use tokio_postgres::Client;

use crate::product::Product;
use crate::wrk::Comparison;
use crate::{machine, report, wrk};
use cases::Case;
use pgbench::Pgbench;

/// Connections of wrk and pgbench.
const CONNECTIONS: usize = 16;
/// The output of wrk, and what it sent.
const OUTPUT: &str = "target/bench-gateway";
const WARM_UP: u64 = 2;
/// Memory limit of the whole process after the load, in megabytes.
const MOST_MEMORY: f64 = 60.0;
const HEADER: &str = "\
| case | gateway | pgbench | of pgbench | own CPU |
|---|---|---|---|---|";

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: Product,
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
}

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When a program is missing, or a request or a statement fails.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.rounds > 0 && options.seconds > 0, "nothing to measure");
    let database = options.product.sql().await?;
    let cases = cases::all(&options.product, &database, &options.only).await?;
    fs::create_dir_all(OUTPUT)?;
    let pgbench = Pgbench::prepare(&database, &options.pgbench, CONNECTIONS).await?;
    database.batch_execute(cases::CREATE_FUNCTION).await?;
    capture::allow_logging(&database).await?;
    let outcome = measure_all(options, &database, &pgbench, &cases).await;
    capture::forbid_logging(&database).await?;
    database.batch_execute(cases::DROP_FUNCTION).await?;
    pgbench::remove(&database).await?;
    outcome
}

async fn measure_all(
    options: &Options,
    database: &Client,
    pgbench: &Pgbench,
    cases: &[Case],
) -> anyhow::Result<bool> {
    println!(
        "{} cores, load average {} before; {} connections, {} rounds of {} s each, medians; pgbench with two threads, wrk \
         with one\n\n{HEADER}",
        machine::cores(),
        machine::load(),
        CONNECTIONS,
        options.rounds,
        options.seconds,
    );
    let mut broken = Vec::new();
    for case in cases {
        let row = measure(options, database, pgbench, case, &mut broken).await;
        println!("{}", row.with_context(|| case.name)?);
    }
    let memory = machine::proportional_megabytes(options.product.pid);
    let memory = report::at_most("memory", memory, Some(MOST_MEMORY), "MB", &mut broken);
    println!("\nMemory after the load: {memory}\nload average {} after", machine::load());
    Ok(report::end(&broken))
}

async fn measure(
    options: &Options,
    database: &Client,
    pgbench: &Pgbench,
    case: &Case,
    broken: &mut Vec<String>,
) -> anyhow::Result<String> {
    let (product, connections, seconds) = (&options.product, CONNECTIONS, options.seconds);
    let file = |ending: &str| Path::new(OUTPUT).join(format!("{}.{ending}", case.key));
    case.check(product).await?;
    let script = file("lua");
    wrk::write_script(&script, &case.requests)?;
    wrk::warm_up(&product.url, &script, connections, WARM_UP)?;

    let statements = capture::statements(product, database, &case.requests[0], &case.people[0][0]).await?;
    fs::write(file("statements.txt"), format!("{statements:#?}\n"))?;
    let transactions = pgbench.transactions(&statements, &case.people, &file("sql"))?;
    let clean_up = async || {
        for statement in case.clean_up {
            database.batch_execute(statement).await?;
        }
        anyhow::Ok(())
    };
    clean_up().await?;
    let mut comparison = Comparison::default();
    for _ in 0..options.rounds {
        comparison.measure(product, &script, connections, seconds)?;
        clean_up().await?;
        comparison.baseline.push(transactions.per_second(seconds)?);
        clean_up().await?;
    }
    let row = comparison.row(case.name, "pgbench", case.share, case.cpu, broken);
    Ok(format!("| {} | {row} |", case.name))
}
