//! Database cost of the lists, filters and searches on the screens, and the overhead of row-level security.

mod admin;
mod marketplace;
mod search;

use std::collections::BTreeMap;

use anyhow::Context;
use clap::Args;
use rest_gateway::statements::StatementBuilder;
use tokio_postgres::Client;

use crate::reader::{self, Get, Reader, Who};
use crate::statistics::{median, percentile};
use crate::{machine, report};

#[derive(Args)]
pub struct Options {
    /// Superuser URL of the database; accounts for the measurements are added to it
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: String,
    /// Number of measurements per request; the medians count
    #[arg(long)]
    repetitions: Option<usize>,
    /// Measure only figures whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Show the plan of the slowest request of each figure
    #[arg(long)]
    explain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Screens {
    /// The public pages.
    Search,
    Admin,
    /// Enquiries, applications, notifications, reviews and reports.
    Marketplace,
}

pub struct Figure {
    name: String,
    who: Who,
    gets: Vec<Get>,
    /// Milliseconds for a percentile.
    limit: Option<(f64, f64)>,
}

const P95: f64 = 0.95;
/// Maximum cost of row-level security for visitors, relative to the owner's time.
const MOST_RATIO: f64 = 1.3;
/// A sequential scan of at most this many rows is cheaper than an index.
const FEW_ROWS: f64 = 1_000.0;
const HEADER: &str = "\
figure                                     | requests |     p50     p95 |       limit | of the owner's | sequential scans";

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When the database can't be used.
pub async fn run(screens: Screens, options: &Options) -> anyhow::Result<bool> {
    let mut client = reader::connect(&options.database).await?;
    let (accounts, repetitions) = match screens {
        Screens::Search => ("", 5),
        Screens::Admin => (include_str!("queries/staff.sql"), 5),
        Screens::Marketplace => (include_str!("queries/people.sql"), 200),
    };
    client.batch_execute(accounts).await.context("the accounts")?;
    client.batch_execute("vacuum analyze").await?;
    let statements = reader::statements(&mut client).await?;
    let mut figures = match screens {
        Screens::Search => search::figures(&client).await?,
        Screens::Admin => admin::figures(&client).await?,
        Screens::Marketplace => marketplace::figures(&client).await?,
    };
    figures.retain(|figure| figure.name.contains(&options.only));
    let repetitions = options.repetitions.unwrap_or(repetitions);
    println!(
        "{} cores, load average {} before; milliseconds of planning and execution by the server's own clock, warm, not \
         queued for a core, median of {repetitions}\n\n{HEADER}",
        machine::cores(),
        machine::load(),
    );
    let mut broken = Vec::new();
    for figure in &figures {
        measure(figure, screens, &client, &statements, options, repetitions, &mut broken).await?;
    }
    println!("\nload average {} after", machine::load());
    Ok(report::end(&broken))
}

async fn measure(
    figure: &Figure,
    screens: Screens,
    client: &Client,
    statements: &StatementBuilder,
    options: &Options,
    repetitions: usize,
    broken: &mut Vec<String>,
) -> anyhow::Result<()> {
    let mut reader = Reader::connect(&options.database, figure.who).await?;
    let mut owner = Reader::connect(&options.database, Who::Owner).await?;
    let compares = screens == Screens::Search && figure.limit.is_some();
    let (took, owners) = times(figure, compares, statements, repetitions, &mut reader, &mut owner).await?;
    let (p50, p95) = (median(&took), percentile(&took, P95));
    let limit = figure.limit.map_or_else(String::new, |(share, limit)| {
        let shown = |value: f64| format!("p{:.0} {value:.0} ms", share * 100.0);
        report::at_most(&figure.name, percentile(&took, share), Some(limit), shown, broken)
    });
    let ratio = if compares {
        let shown = |ratio: f64| format!("{ratio:.2}");
        report::at_most(
            &format!("{}, ratio", figure.name),
            p50 / median(&owners),
            Some(MOST_RATIO),
            shown,
            broken,
        )
    } else {
        String::new()
    };
    let slowest = figure.gets.iter().zip(&took).max_by(|(_, one), (_, other)| one.total_cmp(other));
    let plan = match slowest {
        Some((get, _)) => reader.explain(statements, get, "analyze, buffers, settings").await?,
        None => String::new(),
    };
    let scans =
        if screens == Screens::Marketplace { scanned_tables(client, &plan).await? } else { String::new() };
    if !scans.is_empty() {
        broken.push(format!("{}: sequential scan of {scans}", figure.name));
    }
    println!(
        "{:<42} | {:>8} | {p50:>7.2} {p95:>7.2} | {limit} | {ratio} | {scans}",
        figure.name,
        figure.gets.len()
    );
    if options.explain {
        println!("{}\n{plan}\n", slowest.map_or("", |(get, _)| &get.query));
    }
    Ok(())
}

/// One request's own times, or the medians of many requests; and the medians of the tables' owner.
async fn times(
    figure: &Figure,
    compares: bool,
    statements: &StatementBuilder,
    repetitions: usize,
    reader: &mut Reader,
    owner: &mut Reader,
) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let (mut took, mut owners) = (Vec::new(), Vec::new());
    for get in &figure.gets {
        let (mut times, mut owner_times) = (Vec::new(), Vec::new());
        // The readers alternate, so that other load affects them equally. The first round is a warm-up.
        for round in 0..=repetitions {
            let time = reader.time(statements, get).await?;
            let owners = if compares { owner.time(statements, get).await? } else { 0.0 };
            if round > 0 {
                times.push(time);
                owner_times.push(owners);
            }
        }
        if figure.gets.len() == 1 {
            took.extend(times);
        } else {
            took.push(median(&times));
        }
        owners.push(median(&owner_times));
    }
    Ok((took, owners))
}

/// The large tables of which the plan has a sequential scan.
async fn scanned_tables(client: &Client, plan: &str) -> anyhow::Result<String> {
    const ROWS: &str = "select reltuples::float8 from pg_class where relname = $1 and relkind = 'r'";
    let mut large = Vec::new();
    for name in plan.lines().filter_map(|line| line.split("Seq Scan on ").nth(1)?.split_whitespace().next()) {
        let rows = client.query_opt(ROWS, &[&name]).await?;
        if rows.is_some_and(|row| row.get::<_, f64>(0) > FEW_ROWS) {
            large.push(name);
        }
    }
    Ok(large.join(", "))
}

/// The choices on the search pages (specification, section 9), and typical input.
fn choices() -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    Ok(serde_json::from_str(include_str!("queries/choices.json"))?)
}

const CARD: &str = "id,name,username,category,bio,location,profile_image,badge_type,instagram_followers,\
    tiktok_followers,youtube_followers,twitter_followers,created_at";
