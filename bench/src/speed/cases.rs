//! The measured cases, and the limits.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::time::sleep;
use tokio_postgres::Client;

use crate::product::Product;
use crate::queries::CARD;
use crate::wrk::Request;

/// Each agency may have 500 gigs, and all of them together receive the inserts of one measurement. pgbench runs at most 128
/// scripts.
const AGENCIES: i64 = 128;
/// Timeout for a reload of the schema.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The function of the case `rpc`. It exists only while the benchmark runs.
pub const CREATE_FUNCTION: &str = "
    create or replace function public.serasi_bench_records(records integer, label text, enabled boolean)
    returns table (id integer, name text, amount numeric, enabled_at timestamptz, is_enabled boolean)
    language sql stable set search_path = '' as $$
      select n, label || ' ' || n, n * 1.5, '2026-01-01Z'::timestamptz + n * interval '1 day', enabled
      from generate_series(1, records) as n
    $$;
    grant execute on function public.serasi_bench_records to authenticated;
    notify pgrst, 'reload schema'";
pub const DROP_FUNCTION: &str =
    "drop function if exists public.serasi_bench_records; notify pgrst, 'reload schema'";
/// An influencer who may see gigs.
const INFLUENCER: &str = "update app.moderation set access_gigs_page = true where user_id = (
       select user_id from app.influencers where approved and verified order by user_id limit 1)
     returning user_id::text";

pub struct Case {
    /// The name for `--only`.
    pub key: &'static str,
    pub name: &'static str,
    /// The lowest share of the transactions per second that pgbench reaches.
    pub share: f64,
    /// The limit for the gateway's own CPU time for a request, in milliseconds.
    pub cpu: Option<f64>,
    /// The requests, sent in turn.
    pub requests: Vec<Request>,
    /// The texts in which the requests differ, in the same order; the first is an account.
    pub people: Vec<Vec<String>>,
    /// Number of rows in the response; `None` if it has no body.
    rows: Option<usize>,
    /// Statements that remove what one measurement added, each run by itself.
    pub clean_up: &'static [&'static str],
}

impl Case {
    /// Waits until the gateway has connected again and loaded the schema, and compares the response with what is expected.
    ///
    /// # Errors
    /// When the response differs.
    pub async fn check(&self, product: &Product) -> anyhow::Result<()> {
        let began = Instant::now();
        let body = loop {
            match self.requests[0].send(&product.http, &product.url).await {
                Err(_) if began.elapsed() < RELOAD_TIMEOUT => sleep(Duration::from_millis(100)).await,
                body => break body?,
            }
        };
        let rows =
            if body.is_empty() { None } else { Some(serde_json::from_slice::<Vec<Value>>(&body)?.len()) };
        ensure!(rows == self.rows, "the response has {rows:?} rows, expected {:?}", self.rows);
        Ok(())
    }
}

/// # Errors
/// When none of these matches `only`, or the database has too few generated accounts.
pub async fn all(product: &Product, database: &Client, only: &[String]) -> anyhow::Result<Vec<Case>> {
    let reader = database.query_opt(INFLUENCER, &[]).await?;
    let reader: String = reader.context("no verified influencer: `serasi seed` adds some")?.try_get(0)?;
    let token = product.token(&reader)?;
    let read = |key, name, share, cpu, rows, path: &str| Case {
        key,
        name,
        share,
        cpu,
        requests: vec![request(product, "GET", path, &token)],
        people: vec![vec![reader.clone()]],
        rows: Some(rows),
        clean_up: &[],
    };
    let one = format!("user_roles?select=role&user_id=eq.{reader}");
    let newest = format!("influencers?select={CARD}&approved=is.true&order=created_at.desc&limit=100");
    let gigs = "gigs?select=*,agencies(name,logo_url)&order=created_at.desc&limit=24";
    let function = "rpc/serasi_bench_records?records=10&label=bench&enabled=true";
    let mut cases = vec![
        read("one-row", "one row by key", 1.0, Some(0.06), 1, &one),
        read("100-rows", "100 rows, newest approved", 1.0, Some(0.10), 100, &newest),
        read("embed", "24 gigs with their agencies", 0.9, None, 24, gigs),
        read("rpc", "a function of 10 records", 0.9, None, 10, function),
        insert(product, database).await?,
    ];
    cases.retain(|case| only.is_empty() || only.iter().any(|key| key == case.key));
    ensure!(!cases.is_empty(), "--only takes one-row, 100-rows, embed, rpc and insert");
    Ok(cases)
}

/// Agencies post gigs in turn, because each may have only 500 and its inserts wait for each other.
async fn insert(product: &Product, database: &Client) -> anyhow::Result<Case> {
    let agencies = database
        .query("select user_id::text, id::text from app.agencies order by user_id limit $1", &[&AGENCIES])
        .await?;
    ensure!(agencies.len() == usize::try_from(AGENCIES)?, "fewer than {AGENCIES} agencies");
    let (mut requests, mut people) = (Vec::new(), Vec::new());
    for row in agencies {
        let (user, agency): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let mut post = request(product, "POST", "gigs", &product.token(&user)?);
        post.headers.push(("Content-Type", "application/json".to_owned()));
        post.headers.push(("Prefer", "return=minimal".to_owned()));
        post.body = json!({
            "agency_id": agency, "title": "Serasi benchmark", "description": "Planned together, filmed once.",
            "budget": "RM 1,500", "duration": "2 weeks", "requirements": "Own equipment",
        })
        .to_string();
        requests.push(post);
        people.push(vec![user, agency]);
    }
    Ok(Case {
        key: "insert",
        name: "insert of a gig",
        share: 0.9,
        cpu: None,
        requests,
        people,
        rows: None,
        clean_up: &["delete from app.gigs where title = 'Serasi benchmark'", "vacuum app.gigs"],
    })
}

fn request(product: &Product, method: &'static str, path: &str, token: &str) -> Request {
    let headers = vec![("apikey", product.anon_key.clone()), ("Authorization", format!("Bearer {token}"))];
    Request { method, headers, ..Request::get(format!("/rest/v1/{path}")) }
}
