//! Database cost of the lists, filters and searches on the screens, from the tables `queries/*.txt`.

use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use serde_json::Value;
use tokio_postgres::Client;

use crate::product::{self, Product};
use crate::{
    machine,
    report::{self, percentile},
};

#[derive(Args)]
pub struct Options {
    #[arg(value_enum)]
    screens: Screens,
    #[command(flatten)]
    product: Product,
    /// Number of measurements of each list
    #[arg(long, default_value_t = 200)]
    repetitions: usize,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Screens {
    /// The public pages
    Lists,
    /// The tables of the admin pages
    Admin,
    /// Enquiries, applications, notifications, reviews and reports
    Marketplace,
}

struct List {
    name: String,
    /// The account of `staff.sql` or `people.sql`; `None` for a visitor.
    reader: Option<String>,
    /// Such as `influencers?select=id&name=ilike.*a*`.
    query: String,
    counts: bool,
    /// Milliseconds for the 95th percentile.
    limit: f64,
}

/// The gateway explains its own statements.
const PLAN: &str = "application/vnd.pgrst.plan+json; options=analyze|settings";
/// Time for the gateway to read its settings again.
const RELOAD: Duration = Duration::from_secs(2);
/// How many rows come before a deep page, if there are that many.
const DEEP: i64 = 5_000;
/// A sequential scan of at most this many rows is cheaper than an index.
const FEW_ROWS: f32 = 1_000.0;
const HEADER: &str = "\
list                                       |     p50     p95 | limit | sequential scans";
/// The columns that the search pages show of an influencer.
pub const CARD: &str = "id,name,username,category,bio,location,profile_image,badge_type,instagram_followers,\
    tiktok_followers,youtube_followers,twitter_followers,created_at";

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When the database can't be used.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let client = options.product.sql().await?;
    let (accounts, table) = match options.screens {
        Screens::Lists => ("", include_str!("queries/search.txt")),
        Screens::Admin => (include_str!("queries/staff.sql"), include_str!("queries/admin.txt")),
        Screens::Marketplace => (include_str!("queries/people.sql"), include_str!("queries/marketplace.txt")),
    };
    client.batch_execute(accounts).await.context("the accounts")?;
    client.batch_execute("vacuum analyze").await?;
    let explain =
        "alter role authenticator set pgrst.db_plan_enabled = 'true'; notify pgrst, 'reload config'";
    client.batch_execute(explain).await?;
    tokio::time::sleep(RELOAD).await;
    println!(
        "{} cores, load average {} before; milliseconds of planning and execution by the database's clock, \
         warm, {} times\n\n{HEADER}",
        machine::cores(),
        machine::load(),
        options.repetitions,
    );
    let mut broken = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        for list in lists(&client, line).await.with_context(|| line.to_owned())? {
            measure(&list, &client, options, &mut broken).await?;
        }
    }
    println!("\nload average {} after", machine::load());
    Ok(report::end(&broken))
}

/// The first and the deep page of a line's list.
async fn lists(client: &Client, line: &str) -> anyhow::Result<Vec<List>> {
    let id = |number: u8| format!("5e7bad00-0000-4000-8000-0000000000{number}");
    let line =
        line.replace("$I", &id(11)).replace("$A", &id(12)).replace("$G", &id(13)).replace("$CARD", CARD);
    let fields: Vec<&str> = line.split(" |").map(str::trim).collect();
    let [name, who, limit, order, size, rows, query] = fields[..] else { bail!("not seven fields") };
    let reader = match who {
        "visitor" => None,
        "admin" => Some(1),
        "superadmin" => Some(2),
        "influencer" => Some(11),
        "agency" => Some(12),
        _ => bail!("there is no reader {who}"),
    };
    let (counts, query) = query.strip_prefix("count ").map_or((false, query), |query| (true, query));
    let limit = limit.parse()?;
    let list = |page: &str, counts, query| List {
        name: format!("{name}{page}"),
        reader: reader.map(|number| format!("5e7bad00-0000-4000-8000-{number:012}")),
        query,
        counts,
        limit,
    };
    let Some((by, direction)) = order.split_once('.') else {
        return Ok(vec![list("", counts, query.to_owned())]);
    };
    let page = format!("order={order},id.{direction}&limit={size}");
    let mut lists = vec![list(", first", counts, format!("{query}&{page}"))];
    if let Some((moment, id)) = last_before(client, rows, by, direction).await? {
        let (bound, next) = if direction == "asc" { ("gte", "gt") } else { ("lte", "lt") };
        let after = format!(
            "{by}={bound}.{moment}&or=({by}.{next}.\"{moment}\",and({by}.eq.\"{moment}\",id.{next}.\"{id}\"))"
        );
        lists.push(list(", deep", false, format!("{query}&{after}&{page}")));
    }
    Ok(lists)
}

/// The row before a deep page; none for short lists.
async fn last_before(
    client: &Client,
    rows: &str,
    by: &str,
    direction: &str,
) -> anyhow::Result<Option<(String, String)>> {
    let count: i64 = client.query_one(&format!("select count(*) from app.{rows}"), &[]).await?.try_get(0)?;
    let offset = DEEP.min(count - 25);
    if offset <= 0 {
        return Ok(None);
    }
    let statement = format!(
        "select to_json({by}) #>> '{{}}', id::text from app.{rows} and {by} is not null
         order by {by} {direction}, id {direction} offset {offset} limit 1"
    );
    let row = client.query_one(&statement, &[]).await?;
    Ok(Some((row.try_get(0)?, row.try_get(1)?)))
}

/// A list that reads a whole table of the marketplace fails, however fast it is.
async fn measure(
    list: &List,
    client: &Client,
    options: &Options,
    broken: &mut Vec<String>,
) -> anyhow::Result<()> {
    let token = list.reader.as_ref().map(|reader| options.product.token(reader)).transpose()?;
    let explain = async || -> anyhow::Result<Value> {
        let (table, query) = list.query.split_once('?').context("a query")?;
        let parameters = query.split('&').filter_map(|part| part.split_once('='));
        let parameters = parameters
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        let path = format!("/rest/v1/{table}?{}", parameters.collect::<Vec<_>>().join("&"));
        let mut request = options.product.request(Method::GET, &path).header("accept", PLAN);
        if let Some(token) = &token {
            request = request.bearer_auth(token);
        }
        if list.counts {
            request = request.header("prefer", "count=exact");
        }
        Ok(serde_json::from_slice(&product::body(request).await?)?)
    };
    let (mut took, mut plan) = (Vec::new(), Value::Null);
    for _ in 0..=options.repetitions {
        plan = explain().await?;
        let part = |name: &str| plan[0][name].as_f64().with_context(|| format!("a plan without {name}"));
        took.push(part("Planning Time")? + part("Execution Time")?);
    }
    // The first is a warm-up.
    took.remove(0);
    let p95 = percentile(&took, 0.95);
    let limit = report::at_most(&list.name, p95, Some(list.limit), "ms", broken);
    let mut scanned = Vec::new();
    collect_scans(&plan[0]["Plan"], &mut scanned);
    let scans = large(client, &scanned).await?;
    if !scans.is_empty() && matches!(options.screens, Screens::Marketplace) {
        broken.push(format!("{}: sequential scan of {scans}", list.name));
    }
    println!("{:<42} | {:>7.2} {p95:>7.2} | {limit} | {scans}", list.name, percentile(&took, 0.5));
    Ok(())
}

/// The tables that a plan reads sequentially.
fn collect_scans<'a>(plan: &'a Value, found: &mut Vec<&'a str>) {
    if plan["Node Type"] == "Seq Scan" {
        found.extend(plan["Relation Name"].as_str());
    }
    plan["Plans"].as_array().into_iter().flatten().for_each(|inner| collect_scans(inner, found));
}

/// Those of the tables that have many rows.
async fn large(client: &Client, tables: &[&str]) -> anyhow::Result<String> {
    const ROWS: &str = "select distinct relname::text from pg_class
        where relname = any($1) and relkind = 'r' and reltuples > $2";
    let rows = client.query(ROWS, &[&tables, &FEW_ROWS]).await?;
    let names: Vec<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    Ok(names.join(", "))
}
