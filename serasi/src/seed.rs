//! `serasi seed`: generated data in any amount, to work and to measure with.

use anyhow::{Context, ensure};
use clap::Args;
use platform::env::Env;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::DataDir;
use crate::database::Database;
use crate::progress::Progress;

/// Beyond this the generated names and numbers repeat too often to be realistic.
const MOST: u64 = 1_000_000;
/// Rows in one statement: enough to be quick, few enough that the bar moves.
const CHUNK: u64 = 20_000;
/// From so many rows on, indexes that are made anew cost less than ones that grow.
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
}

/// One kind of rows: its name, and the statement that makes a chunk of them.
struct Kind {
    name: &'static str,
    statement: &'static str,
    rows: u64,
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    // Gigs last: they need agencies.
    let kinds = [
        Kind {
            name: "influencers",
            statement: "select pg_temp.seed_influencers($1, $2)",
            rows: options.influencers,
        },
        Kind { name: "agencies", statement: "select pg_temp.seed_agencies($1, $2)", rows: options.agencies },
        Kind { name: "vendors", statement: "select pg_temp.seed_vendors($1, $2)", rows: options.vendors },
        Kind { name: "gigs", statement: "select pg_temp.seed_gigs($1, $2)", rows: options.gigs },
    ];
    ensure!(
        kinds.iter().any(|kind| kind.rows > 0),
        "say how many: --influencers, --agencies, --vendors or --gigs"
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
    // Without fresh statistics the first searches would be planned for the old size.
    let step = progress.step("Gathering statistics");
    connection.execute("vacuum analyze").await?;
    step.done();
    for kind in kinds.iter().filter(|kind| kind.rows > 0) {
        println!("{} {} added.", kind.rows, kind.name);
    }
    Ok(())
}

/// All of it or nothing: whatever interrupts a load, no index is missing afterwards.
async fn add(connection: &mut PgConnection, kind: &Kind, progress: &Progress) -> anyhow::Result<()> {
    let mut transaction = connection.begin().await?;
    // Two loads at a time would give out the same numbers.
    transaction.execute("select pg_advisory_xact_lock(hashtext('serasi seed'))").await?;
    let first: i64 = match kind.name {
        // Gigs belong to agencies and have no account to count.
        "gigs" => {
            sqlx::query_scalar("select count(*) + 1 from app.gigs").fetch_one(&mut *transaction).await?
        }
        name => {
            sqlx::query_scalar("select pg_temp.seed_first($1)")
                .bind(name)
                .fetch_one(&mut *transaction)
                .await?
        }
    };
    let set_aside = set_indexes_aside(&mut transaction, kind, first).await?;
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
    make_indexes(&mut transaction, set_aside, progress).await?;
    Ok(transaction.commit().await?)
}

struct Index {
    name: String,
    definition: String,
}

/// Drops the indexes that only make reading quick, if so much is to come that they are better made afterwards.
/// Until then nobody else can read the table.
async fn set_indexes_aside(
    connection: &mut PgConnection,
    kind: &Kind,
    first: i64,
) -> anyhow::Result<Vec<Index>> {
    if kind.rows < LARGE_LOAD || kind.rows.saturating_mul(2) < u64::try_from(first)? {
        return Ok(Vec::new());
    }
    let found: Vec<(String, String)> = sqlx::query_as(
        "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
         where indrelid = ('app.' || $1)::regclass and not indisunique order by 1",
    )
    .bind(kind.name)
    .fetch_all(&mut *connection)
    .await?;
    for (name, _) in &found {
        connection.execute(AssertSqlSafe(format!("drop index {name}"))).await?;
    }
    Ok(found.into_iter().map(|(name, definition)| Index { name, definition }).collect())
}

async fn make_indexes(
    connection: &mut PgConnection,
    indexes: Vec<Index>,
    progress: &Progress,
) -> anyhow::Result<()> {
    if indexes.is_empty() {
        return Ok(());
    }
    let step = progress.step("Making indexes");
    connection.execute("set local maintenance_work_mem = '256MB'").await?;
    for Index { name, definition } in indexes {
        step.now(&name);
        connection.execute(AssertSqlSafe(definition)).await?;
    }
    step.done();
    Ok(())
}
