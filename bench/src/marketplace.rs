//! Database cost of the marketplace's lists, as readers who have far more rows than others. A list that reads
//! a whole table fails, however fast it is.

mod figures;

use anyhow::Context;
use clap::Args;
use rest_gateway::statements::StatementBuilder;
use tokio_postgres::Client;

use crate::gateway::{self, Get};
use crate::machine;
use crate::reader::{self, Reader};
use crate::statistics::{median, percentile};
use figures::List;

#[derive(Args)]
pub struct Options {
    /// Superuser URL of the database; two accounts with 10,000 rows of each kind are added to it
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: String,
    /// Number of measurements per request
    #[arg(long, default_value_t = 200)]
    runs: usize,
    /// Measure only lists whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Show the plan of each request
    #[arg(long)]
    explain: bool,
}

/// Milliseconds for the 95th percentile.
const LIMIT: f64 = 20.0;
/// How many rows come before a deep page, if there are that many.
const DEEP: i64 = 5_000;
/// A sequential scan of at most this many rows is cheaper than an index.
const FEW_ROWS: f64 = 1_000.0;

const HEADER: &str = "\
list                                     | page  | rows of the list |     p50     p95 | limit | sequential scans";

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When the database can't be used.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let mut client = reader::connect(&options.database).await?;
    client.batch_execute(include_str!("marketplace/people.sql")).await.context("the busy accounts")?;
    client.batch_execute("vacuum analyze").await?;
    let statements = gateway::load(&mut client).await?;
    println!("{}\n\n{HEADER}", about(&client, options.runs).await?);
    let mut within_limits = true;
    for list in figures::all().iter().filter(|list| list.name.contains(&options.only)) {
        let mut reader = Reader::connect(&options.database, list.read_by).await?;
        within_limits &=
            measure(&mut reader, &statements, list, "first", &list.page(None), &client, options).await?;
        if let Some((moment, id)) = last_before(&client, list).await? {
            let deep = list.page(Some((&moment, &id)));
            within_limits &= measure(&mut reader, &statements, list, "deep", &deep, &client, options).await?;
        }
    }
    println!("\nload average {} after", machine::load());
    Ok(within_limits)
}

async fn measure(
    reader: &mut Reader,
    statements: &StatementBuilder,
    list: &List,
    page: &str,
    get: &Get,
    client: &Client,
    options: &Options,
) -> anyhow::Result<bool> {
    let mut took = Vec::new();
    // The first run is a warm-up.
    for run in 0..=options.runs {
        let once = reader.time(statements, get).await.with_context(|| get.shown())?;
        if run > 0 {
            took.push(once.without_queue());
        }
    }
    let plan = reader.plan(statements, get).await?;
    let scanned = scanned_tables(client, &plan).await?;
    let p95 = percentile(&took, 0.95);
    let is_within = p95 <= LIMIT && scanned.is_empty();
    println!(
        "{:<40} | {page:<5} | {:>16} | {:>7.2} {p95:>7.2} | {LIMIT:>2.0} ms | {}{}",
        list.name,
        rows_of(client, list).await?,
        median(&took),
        if scanned.is_empty() { "none".to_owned() } else { scanned.join(", ") },
        if is_within { "" } else { "  BROKEN" },
    );
    if options.explain {
        println!("{}\n{plan}\n", get.shown());
    }
    Ok(is_within)
}

/// The large tables of which the plan has a sequential scan.
async fn scanned_tables(client: &Client, plan: &str) -> anyhow::Result<Vec<String>> {
    let mut large = Vec::new();
    for line in plan.lines().filter(|line| line.contains("Seq Scan on ")) {
        let name = line
            .split("Seq Scan on ")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next())
            .unwrap_or_default();
        let rows = client
            .query_opt(
                "select reltuples::float8 from pg_class where relname = $1 and relkind = 'r'",
                &[&name],
            )
            .await?;
        if rows.is_some_and(|row| row.get::<_, f64>(0) > FEW_ROWS) {
            large.push(name.to_owned());
        }
    }
    Ok(large)
}

async fn rows_of(client: &Client, list: &List) -> anyhow::Result<i64> {
    let (table, condition) = &list.rows;
    Ok(client
        .query_one(&format!("select count(*) from app.{table} where {condition}"), &[])
        .await?
        .try_get(0)?)
}

/// The row before a deep page; none for lists that have one page.
async fn last_before(client: &Client, list: &List) -> anyhow::Result<Option<(String, String)>> {
    let Some(by) = list.by else { return Ok(None) };
    let ((table, condition), order) = (&list.rows, if list.ascending { "asc" } else { "desc" });
    let rows = rows_of(client, list).await?;
    let offset = DEEP.min(rows - 25);
    if offset <= 0 {
        return Ok(None);
    }
    let row = client
        .query_one(
            &format!(
                "select to_json({by}) #>> '{{}}', id::text from app.{table} where {condition} and {by} is not null
                 order by {by} {order}, id {order} offset {offset} limit 1"
            ),
            &[],
        )
        .await?;
    Ok(Some((row.try_get(0)?, row.try_get(1)?)))
}

async fn about(client: &Client, runs: usize) -> anyhow::Result<String> {
    const ASK: &str = "select current_setting('server_version'), (select count(*) from app.enquiries),
        (select count(*) from app.gig_applications), (select count(*) from app.notices), (select count(*) from app.reviews),
        (select count(*) from app.reports)";
    let row = client.query_one(ASK, &[]).await?;
    let version: String = row.try_get(0)?;
    let [enquiries, applications, notifications, reviews, reports] =
        [row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get::<_, i64>(5)?];
    Ok(format!(
        "PostgreSQL {version}; {enquiries} enquiries, {applications} applications, {notifications} notifications, {reviews} reviews, \
         {reports} reports\n\
         {} cores, load average {} before\n\
         milliseconds of planning and execution by the server's own clock, warm, not queued for a core, {runs} runs",
        machine::cores(),
        machine::load(),
    ))
}
