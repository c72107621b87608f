//! Database cost of the tables on the admin pages, as an admin and as a superadmin.

mod figures;

use anyhow::Context;
use clap::Args;
use rest_gateway::statements::StatementBuilder;

use crate::gateway::{self, Get};
use crate::machine;
use crate::reader::{self, Reader};
use crate::statistics::{median, percentile};
use figures::Figure;

#[derive(Args)]
pub struct Options {
    /// Superuser URL of the database; an admin, a superadmin and a filled audit log are added to it
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: String,
    /// Number of measurements per request; the medians count
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Measure only figures whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Show the plan of the slowest request of each figure
    #[arg(long)]
    explain: bool,
}

const HEADER: &str = "\
table                                    | requests |     p50     p95 |  limit | of the limit";

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When the database can't be used.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let mut client = reader::connect(&options.database).await?;
    client.batch_execute(include_str!("admin/staff.sql")).await.context("the staff accounts")?;
    client.batch_execute("vacuum analyze").await?;
    let statements = gateway::load(&mut client).await?;
    let mut figures = figures::all(&client).await?;
    figures.retain(|figure| figure.name.contains(&options.only));
    println!("{}\n\n{HEADER}", about(&client, options.repetitions).await?);

    let mut within_limits = true;
    for figure in &figures {
        let mut reader = Reader::connect(&options.database, figure.read_by).await?;
        let mut took = Vec::new();
        let mut slowest: Option<(f64, &Get)> = None;
        for get in &figure.gets {
            let once = measure(&mut reader, &statements, get, options.repetitions).await?;
            if slowest.is_none_or(|(most, _)| once > most) {
                slowest = Some((once, get));
            }
            took.push(once);
        }
        within_limits &= report(figure, &took);
        if let Some((_, get)) = slowest.filter(|_| options.explain) {
            println!("{}\n{}\n", get.shown(), reader.plan(&statements, get).await?);
        }
    }
    println!("\nload average {} after", machine::load());
    Ok(within_limits)
}

/// The median of the repetitions without the time spent waiting for a CPU. The first run is a warm-up.
async fn measure(
    reader: &mut Reader,
    statements: &StatementBuilder,
    get: &Get,
    repetitions: usize,
) -> anyhow::Result<f64> {
    let mut took = Vec::new();
    for round in 0..=repetitions {
        let once = reader.time(statements, get).await.with_context(|| get.shown())?;
        if round > 0 {
            took.push(once.without_queue());
        }
    }
    Ok(median(&took))
}

fn report(figure: &Figure, took: &[f64]) -> bool {
    let p95 = percentile(took, 0.95);
    let times = format!("{:>7.2} {p95:>7.2}", median(took));
    let within_limit = figure.limit.is_none_or(|limit| p95 <= limit);
    let against = match figure.limit {
        Some(limit) => {
            format!("{limit:>3} ms | {:.2}{}", p95 / limit, if within_limit { "" } else { "  BROKEN" })
        }
        None => "       |".to_owned(),
    };
    println!("{:<40} | {:>8} | {times} | {against}", figure.name, took.len());
    within_limit
}

async fn about(client: &tokio_postgres::Client, repetitions: usize) -> anyhow::Result<String> {
    const ASK: &str = "select current_setting('server_version'), (select count(*) from app.profiles),
        (select count(*) from app.influencers), (select count(*) from app.agencies), (select count(*) from app.vendors),
        (select count(*) from app.audit_log)";
    let row = client.query_one(ASK, &[]).await?;
    let version: String = row.try_get(0)?;
    let [accounts, influencers, agencies, vendors, entries] =
        [row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get::<_, i64>(5)?];
    Ok(format!(
        "PostgreSQL {version}; {accounts} accounts: {influencers} influencers, {agencies} agencies, {vendors} vendors; \
         {entries} entries of the audit log\n\
         {} cores, load average {} before\n\
         milliseconds of planning and execution by the server's own clock, warm, not queued for a core, median of {repetitions}",
        machine::cores(),
        machine::load(),
    ))
}
