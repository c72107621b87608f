//! Database cost of the lists, filters and searches on the public pages, and the overhead of row-level
//! security.

mod draw;
pub mod figures;
mod report;
pub mod values;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use rest_gateway::statements::StatementBuilder;
use serde::Serialize;

use crate::gateway::{self, Get};
use crate::reader::{self, Reader, Who};
use crate::statistics::median;
use figures::Figure;

#[derive(Args)]
pub struct Options {
    /// Superuser URL of the database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: String,
    /// Seed of the random requests
    #[arg(long, default_value_t = 3)]
    seed: u64,
    /// Number of measurements per request; the medians count
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Measure only figures whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Show the plans of the slowest requests
    #[arg(long)]
    explain: bool,
    /// Write all measurements to a JSON file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The measurements of one request, in milliseconds.
#[derive(Serialize)]
pub struct Case {
    pub figure: &'static str,
    pub asks: String,
    pub took: Vec<(Who, Vec<reader::Timing>)>,
    #[serde(skip)]
    get: Get,
}

impl Case {
    pub fn median(&self, who: Who) -> Option<f64> {
        self.median_of(who, reader::Timing::total)
    }

    pub fn median_of(&self, who: Who, part: fn(reader::Timing) -> f64) -> Option<f64> {
        let (_, took) = self.took.iter().find(|(reader, _)| *reader == who)?;
        Some(median(&took.iter().map(|took| part(*took)).collect::<Vec<_>>()))
    }
}

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When the database can't be used.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let mut client = reader::connect(&options.database).await?;
    let statements = gateway::load(&mut client).await?;
    let about = report::about(&client, options.repetitions).await?;
    println!("{about}\n");

    let mut figures = figures::all(&client, options.seed).await?;
    figures.retain(|figure| figure.name.contains(&options.only));
    let mut readers = Vec::new();
    for who in Who::ALL {
        readers.push(Reader::connect(&options.database, who).await?);
    }
    let mut cases = Vec::new();
    let mut within_limits = true;
    println!("{}", report::HEADER);
    for figure in &figures {
        let measured =
            measure(figure, &mut readers, &statements, figure.repetitions(options.repetitions)).await?;
        let row = report::Row::of(figure, &measured);
        println!("{row}");
        within_limits &= row.is_within_limits();
        cases.extend(measured);
    }
    println!("\n{}", report::footer());
    if options.explain {
        explain(&figures, &cases, &mut readers, &statements).await?;
    }
    if let Some(path) = &options.json {
        let raw = serde_json::to_vec_pretty(&report::Raw { about, cases: &cases })?;
        std::fs::write(path, raw).with_context(|| path.display().to_string())?;
    }
    Ok(within_limits)
}

/// The readers alternate, so that other load on the machine affects them equally. The first round is a
/// warm-up.
async fn measure(
    figure: &Figure,
    readers: &mut [Reader],
    statements: &StatementBuilder,
    repetitions: usize,
) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for get in &figure.gets {
        let mut took: Vec<(Who, Vec<reader::Timing>)> = Vec::new();
        for round in 0..=repetitions {
            for reader in readers.iter_mut().filter(|reader| figure.read_by.contains(&reader.who)) {
                let once = reader.time(statements, get).await.with_context(|| get.shown())?;
                match took.iter_mut().find(|(who, _)| *who == reader.who) {
                    _ if round == 0 => {}
                    Some((_, all)) => all.push(once),
                    None => took.push((reader.who, vec![once])),
                }
            }
        }
        cases.push(Case { figure: figure.name, asks: get.shown(), took, get: get.clone() });
    }
    Ok(cases)
}

/// Prints the plans of each figure's slowest requests as a visitor.
async fn explain(
    figures: &[Figure],
    cases: &[Case],
    readers: &mut [Reader],
    statements: &StatementBuilder,
) -> anyhow::Result<()> {
    const SHOWN: usize = 3;
    let Some(visitor) = readers.iter_mut().find(|reader| reader.who == Who::Visitor) else { return Ok(()) };
    for figure in figures {
        let mut slowest: Vec<&Case> = cases.iter().filter(|case| case.figure == figure.name).collect();
        slowest.sort_by(|one, two| {
            let time = |case: &Case| case.median(Who::Visitor).unwrap_or_default();
            time(two).total_cmp(&time(one))
        });
        for case in slowest.iter().take(SHOWN) {
            let took = case.median(Who::Visitor).unwrap_or_default();
            println!("\n== {}: {took:.1} ms\n{}", figure.name, case.asks);
            println!("{}", visitor.plan(statements, &case.get).await?);
        }
    }
    Ok(())
}
