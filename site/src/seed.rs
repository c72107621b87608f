//! `serasi seed`: generates any amount of data for development and measurements.

use anyhow::{Context, ensure};
use clap::Args;
use platform::progress::Progress;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

pub const ABOUT: &str = "Add generated influencers, agencies, vendors and gigs";

/// Above this limit the generated names and numbers repeat too often to be realistic.
const MOST: u64 = 1_000_000;
/// Rows per statement: large enough to be fast, small enough for the progress bar to move.
const CHUNK: u64 = 20_000;
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

/// A kind of row. `pg_temp.seed_NAME` generates a chunk.
struct Kind {
    name: &'static str,
    /// In schema `app`.
    table: &'static str,
    /// The table in schema `app` whose row count gives the next number. `None`: the number of accounts does.
    counted: Option<&'static str>,
    rows: u64,
}

/// The order matters: gigs, enquiries and reviews come after the agencies that they belong to, and
/// applications after the gigs.
fn kinds(options: &Options) -> [Kind; 9] {
    let kind = |name, table, counted, rows| Kind { name, table, counted, rows };
    [
        kind("influencers", "influencers", None, options.influencers),
        kind("agencies", "agencies", None, options.agencies),
        kind("vendors", "vendors", None, options.vendors),
        kind("gigs", "gigs", Some("gigs"), options.gigs),
        kind("enquiries", "enquiries", Some("enquiry_briefs"), options.enquiries),
        kind("applications", "gig_applications", Some("gig_applications"), options.applications),
        kind("reviews", "reviews", Some("reviews"), options.reviews),
        kind("notifications", "notices", Some("notices"), options.notifications),
        kind("reports", "reports", Some("reports"), options.reports),
    ]
}

impl Options {
    /// # Errors
    /// When they name no rows, or too many.
    pub fn check(&self) -> anyhow::Result<()> {
        let kinds = kinds(self);
        ensure!(
            kinds.iter().any(|kind| kind.rows > 0),
            "specify how many to add with --influencers, --agencies, --vendors, --gigs, --enquiries, --applications, --reviews, \
             --notifications or --reports"
        );
        for kind in &kinds {
            ensure!(kind.rows <= MOST, "at most {MOST} {}", kind.name);
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
    let kinds: Vec<Kind> = kinds(options).into_iter().filter(|kind| kind.rows > 0).collect();
    for kind in &kinds {
        add(connection, kind, progress).await.with_context(|| format!("adding {}", kind.name))?;
    }
    // Without fresh statistics the planner would assume the old table sizes.
    let step = progress.step("Gathering statistics");
    connection.execute("vacuum analyze").await?;
    step.done();
    for kind in &kinds {
        println!("{} {} added.", kind.rows, kind.name);
    }
    Ok(())
}

/// Adds all rows or none. An interrupted load never leaves an index missing.
async fn add(connection: &mut PgConnection, kind: &Kind, progress: &Progress) -> anyhow::Result<()> {
    let mut transaction = connection.begin().await?;
    // Concurrent loads would generate the same numbers.
    transaction.execute("select pg_advisory_xact_lock(hashtext('serasi seed'))").await?;
    let first = match kind.counted {
        Some(table) => format!("select count(*) + 1 from app.{table}"),
        None => format!("select pg_temp.seed_first('{}')", kind.name),
    };
    let first: i64 = sqlx::query_scalar(AssertSqlSafe(first)).fetch_one(&mut *transaction).await?;
    let generate = format!("select pg_temp.seed_{}($1, $2)", kind.name);
    let dropped = drop_indexes(&mut transaction, kind, first).await?;
    let bar = progress.bar(&format!("Adding {}", kind.name), kind.rows);
    let mut done = 0;
    while done < kind.rows {
        let chunk = CHUNK.min(kind.rows - done);
        sqlx::query(AssertSqlSafe(generate.as_str()))
            .bind(first + i64::try_from(done)?)
            .bind(i32::try_from(chunk)?)
            .execute(&mut *transaction)
            .await?;
        done += chunk;
        bar.set_position(done);
    }
    bar.finish_and_clear();
    create_indexes(&mut transaction, dropped, progress).await?;
    Ok(transaction.commit().await?)
}

struct Index {
    name: String,
    definition: String,
}

/// Drops non-unique indexes if the load is large enough that rebuilding them is faster. Until the
/// transaction ends, no other session can read the table.
async fn drop_indexes(connection: &mut PgConnection, kind: &Kind, first: i64) -> anyhow::Result<Vec<Index>> {
    if kind.rows < LARGE_LOAD || kind.rows.saturating_mul(2) < u64::try_from(first)? {
        return Ok(Vec::new());
    }
    let found: Vec<(String, String)> = sqlx::query_as(
        "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
         where indrelid = ('app.' || $1)::regclass and not indisunique order by 1",
    )
    .bind(kind.table)
    .fetch_all(&mut *connection)
    .await?;
    for (name, _) in &found {
        connection.execute(AssertSqlSafe(format!("drop index {name}"))).await?;
    }
    Ok(found.into_iter().map(|(name, definition)| Index { name, definition }).collect())
}

async fn create_indexes(
    connection: &mut PgConnection,
    indexes: Vec<Index>,
    progress: &Progress,
) -> anyhow::Result<()> {
    if indexes.is_empty() {
        return Ok(());
    }
    let step = progress.step("Creating indexes");
    connection.execute("set local maintenance_work_mem = '256MB'").await?;
    for Index { name, definition } in indexes {
        step.now(&name);
        connection.execute(AssertSqlSafe(definition)).await?;
    }
    step.done();
    Ok(())
}
