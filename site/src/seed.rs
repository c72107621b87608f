//! `serasi seed`: generates any amount of data for development and measurements.

use anyhow::{Context, ensure};
use clap::Args;
use platform::progress::Progress;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

pub const ABOUT: &str = "Add generated influencers, agencies, vendors and gigs";

/// Above this limit the generated names and numbers repeat too often to be realistic.
const MOST: u64 = 1_000_000;
/// Rows per statement: large enough to be fast, small enough for the progress bar to move.
const CHUNK: usize = 20_000;
/// From this many rows on, rebuilding the indexes is cheaper than updating them.
const LARGE_LOAD: u64 = 50_000;

#[derive(Args)]
pub struct Options {
    /// How many influencers to add
    #[arg(long, value_name = "N", default_value_t = 0)]
    influencers: u64,
    /// How many agencies to add
    #[arg(long, value_name = "N", default_value_t = 0)]
    agencies: u64,
    /// How many vendors to add
    #[arg(long, value_name = "N", default_value_t = 0)]
    vendors: u64,
    /// How many gigs to add, spread over all agencies
    #[arg(long, value_name = "N", default_value_t = 0)]
    gigs: u64,
    /// How many enquiries to add, from all agencies to all influencers
    #[arg(long, value_name = "N", default_value_t = 0)]
    enquiries: u64,
    /// How many applications to add, spread over all gigs and influencers
    #[arg(long, value_name = "N", default_value_t = 0)]
    applications: u64,
    /// How many completed collaborations to add, with both reviews
    #[arg(long, value_name = "N", default_value_t = 0)]
    reviews: u64,
    /// How many notifications to add, for any accounts
    #[arg(long, value_name = "N", default_value_t = 0)]
    notifications: u64,
    /// How many reports about gigs to add, by any accounts
    #[arg(long, value_name = "N", default_value_t = 0)]
    reports: u64,
}

/// A kind of row, of which `pg_temp.seed_NAME` generates a chunk, and how many are added.
type Kind = (&'static str, u64);

/// The order matters: gigs, enquiries and reviews come after the agencies that they belong to, and
/// applications after the gigs.
fn kinds(options: &Options) -> [Kind; 9] {
    [
        ("influencers", options.influencers),
        ("agencies", options.agencies),
        ("vendors", options.vendors),
        ("gigs", options.gigs),
        ("enquiries", options.enquiries),
        ("applications", options.applications),
        ("reviews", options.reviews),
        ("notifications", options.notifications),
        ("reports", options.reports),
    ]
}

impl Options {
    /// # Errors
    /// When they name no rows, or too many.
    pub fn check(&self) -> anyhow::Result<()> {
        let kinds = kinds(self);
        ensure!(
            kinds.iter().any(|(_, rows)| *rows > 0),
            "specify how many to add with --influencers, --agencies, --vendors, --gigs, --enquiries, --applications, --reviews, \
             --notifications or --reports"
        );
        for (name, rows) in kinds {
            ensure!(rows <= MOST, "at most {MOST} {name}");
        }
        Ok(())
    }
}

/// Adds the rows, as a superuser.
///
/// # Errors
/// When a row is rejected. The kinds of rows before that one stay.
pub async fn run(
    connection: &mut PgConnection,
    options: &Options,
    progress: &Progress,
) -> anyhow::Result<()> {
    connection.execute(db::BULK_SEED).await.context("the generator")?;
    let kinds: Vec<Kind> = kinds(options).into_iter().filter(|(_, rows)| *rows > 0).collect();
    for (name, rows) in &kinds {
        add(connection, name, *rows, progress).await.with_context(|| format!("adding {name}"))?;
    }
    // Without fresh statistics the planner would assume the old table sizes.
    let step = progress.step("Gathering statistics");
    connection.execute("vacuum analyze").await?;
    step.done();
    for (name, rows) in kinds {
        println!("{rows} {name} added.");
    }
    Ok(())
}

/// Adds all rows or none. An interrupted load never leaves an index missing.
async fn add(
    connection: &mut PgConnection,
    name: &str,
    rows: u64,
    progress: &Progress,
) -> anyhow::Result<()> {
    let mut transaction = connection.begin().await?;
    // Concurrent loads would generate the same numbers.
    transaction.execute("select pg_advisory_xact_lock(hashtext('serasi seed'))").await?;
    let first = sqlx::query_scalar("select pg_temp.seed_first($1)").bind(name);
    let first: i64 = first.fetch_one(&mut *transaction).await?;
    let is_large = rows >= LARGE_LOAD && rows.saturating_mul(2) >= u64::try_from(first)?;
    if is_large {
        let drop = sqlx::query("select pg_temp.seed_drop_indexes($1)").bind(name);
        drop.execute(&mut *transaction).await?;
    }
    let generate = format!("select pg_temp.seed_{name}($1, $2)");
    let bar = progress.bar(&format!("Adding {name}"), rows);
    for done in (0..rows).step_by(CHUNK) {
        let chunk = rows.min(done + CHUNK as u64) - done;
        sqlx::query(AssertSqlSafe(generate.as_str()))
            .bind(first + i64::try_from(done)?)
            .bind(i32::try_from(chunk)?)
            .execute(&mut *transaction)
            .await?;
        bar.set_position(done + chunk);
    }
    bar.finish_and_clear();
    if is_large {
        let step = progress.step("Creating indexes");
        transaction.execute("select pg_temp.seed_create_indexes()").await?;
        step.done();
    }
    Ok(transaction.commit().await?)
}
