//! `serasi seed`: generates any amount of data for development and measurements.

use anyhow::{Context, ensure};
use clap::Args;
use platform::env::Env;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::DataDir;
use crate::database::Database;
use crate::progress::Progress;

/// Above this limit the generated names and numbers repeat too often to be realistic.
const MOST: u64 = 1_000_000;
/// Rows per statement: large enough to be fast, small enough for the progress bar to move.
const CHUNK: u64 = 20_000;
/// From this many rows on, rebuilding the indexes is cheaper than updating them.
const LARGE_LOAD: u64 = 50_000;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
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
    /// How many reports about gigs to add, by any accounts
    #[arg(long, value_name = "N", default_value_t = 0)]
    reports: u64,
}

/// A kind of row: its name, and the statement that generates a chunk.
struct Kind {
    name: &'static str,
    /// In schema `app`.
    table: &'static str,
    statement: &'static str,
    rows: u64,
}

/// Gigs, enquiries and reviews follow the agencies they belong to, and applications follow the gigs.
fn kinds(options: &Options) -> [Kind; 8] {
    let kind = |name, table, statement, rows| Kind { name, table, statement, rows };
    [
        kind("influencers", "influencers", "select pg_temp.seed_influencers($1, $2)", options.influencers),
        kind("agencies", "agencies", "select pg_temp.seed_agencies($1, $2)", options.agencies),
        kind("vendors", "vendors", "select pg_temp.seed_vendors($1, $2)", options.vendors),
        kind("gigs", "gigs", "select pg_temp.seed_gigs($1, $2)", options.gigs),
        kind("enquiries", "enquiries", "select pg_temp.seed_enquiries($1, $2)", options.enquiries),
        kind(
            "applications",
            "gig_applications",
            "select pg_temp.seed_applications($1, $2)",
            options.applications,
        ),
        kind("reviews", "reviews", "select pg_temp.seed_reviews($1, $2)", options.reviews),
        kind("reports", "reports", "select pg_temp.seed_reports($1, $2)", options.reports),
    ]
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let kinds = kinds(options);
    ensure!(
        kinds.iter().any(|kind| kind.rows > 0),
        "specify how many to add with --influencers, --agencies, --vendors, --gigs, --applications, --enquiries, --reviews or --reports"
    );
    for kind in &kinds {
        ensure!(kind.rows <= MOST, "at most {MOST} {}", kind.name);
    }
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir.data_dir, env, &progress).await?;
    database.migrate(&progress).await?;
    let mut connection = database.connect().await?;
    connection.execute(db::BULK_SEED).await.context("the generator")?;
    for kind in kinds.iter().filter(|kind| kind.rows > 0) {
        add(&mut connection, kind, &progress).await.with_context(|| format!("adding {}", kind.name))?;
    }
    // Without fresh statistics the planner would assume the old table sizes.
    let step = progress.step("Gathering statistics");
    connection.execute("vacuum analyze").await?;
    step.done();
    for kind in kinds.iter().filter(|kind| kind.rows > 0) {
        println!("{} {} added.", kind.rows, kind.name);
    }
    Ok(())
}

/// Adds all rows or none. An interrupted load never leaves an index missing.
async fn add(connection: &mut PgConnection, kind: &Kind, progress: &Progress) -> anyhow::Result<()> {
    let mut transaction = connection.begin().await?;
    // Concurrent loads would generate the same numbers.
    transaction.execute("select pg_advisory_xact_lock(hashtext('serasi seed'))").await?;
    let first: i64 = match kind.name {
        // These have no accounts to count.
        "gigs" => {
            sqlx::query_scalar("select count(*) + 1 from app.gigs").fetch_one(&mut *transaction).await?
        }
        "enquiries" => {
            sqlx::query_scalar("select count(*) + 1 from app.enquiry_briefs")
                .fetch_one(&mut *transaction)
                .await?
        }
        "applications" => {
            sqlx::query_scalar("select count(*) + 1 from app.gig_applications")
                .fetch_one(&mut *transaction)
                .await?
        }
        "reports" => {
            sqlx::query_scalar("select count(*) + 1 from app.reports").fetch_one(&mut *transaction).await?
        }
        "reviews" => {
            sqlx::query_scalar("select count(*) + 1 from app.reviews").fetch_one(&mut *transaction).await?
        }
        name => {
            sqlx::query_scalar("select pg_temp.seed_first($1)")
                .bind(name)
                .fetch_one(&mut *transaction)
                .await?
        }
    };
    let dropped = drop_indexes(&mut transaction, kind, first).await?;
    let bar = progress.bar(&format!("Adding {}", kind.name), kind.rows);
    let mut done = 0;
    while done < kind.rows {
        let chunk = CHUNK.min(kind.rows - done);
        sqlx::query(kind.statement)
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
/// transaction ends, nobody else can read the table.
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
