//! The measured cases, and the limits.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;
use tokio::time::sleep;

use crate::people::{People, Person};
use crate::wrk::Request;

/// The prefix of all paths.
pub const PREFIX: &str = "/rest/v1";
/// The columns that the search page shows of an influencer.
const CARD_COLUMNS: &str = "id,name,username,category,bio,location,profile_image,badge_type,instagram_followers,\
    tiktok_followers,youtube_followers,twitter_followers,created_at";
const GIG_TITLE: &str = "Serasi benchmark";
const FUNCTION: &str = "serasi_bench_records";
/// Timeout for a reload of the schema.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(30);

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
    /// The account of the first request.
    pub person: String,
    /// The texts in which the requests differ, in the same order; empty if they don't.
    pub people: Vec<Vec<String>>,
    /// Number of rows in the response; `None` if it has no body.
    rows: Option<usize>,
    /// Statements that remove what one measurement added, each run by itself.
    pub clean_up: Vec<String>,
}

impl Case {
    /// Waits until the gateway has connected again and loaded the schema, and compares the response with what is expected.
    ///
    /// # Errors
    /// When the response differs.
    pub async fn check(&self, url: &str) -> anyhow::Result<()> {
        let (http, began) = (reqwest::Client::new(), Instant::now());
        let body = loop {
            match self.requests[0].send(&http, url).await {
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
/// None of these matches `only`.
pub fn all(people: &People, anon_key: &str, only: &[String]) -> anyhow::Result<Vec<Case>> {
    let reader = &people.influencer;
    let read = |key, name, share, cpu, rows, path: String| Case {
        key,
        name,
        share,
        cpu,
        requests: vec![request("GET", format!("{PREFIX}/{path}"), anon_key, reader)],
        person: reader.user.clone(),
        people: Vec::new(),
        rows: Some(rows),
        clean_up: Vec::new(),
    };
    let one = format!("user_roles?select=role&user_id=eq.{}", reader.user);
    let newest =
        format!("influencers?select={CARD_COLUMNS}&approved=is.true&order=created_at.desc&limit=100");
    let gigs = "gigs?select=*,agencies(name,logo_url)&order=created_at.desc&limit=24".to_owned();
    let function = format!("rpc/{FUNCTION}?records=10&label=bench&enabled=true");
    let mut cases = vec![
        read("one-row", "one row by key", 1.0, Some(0.06), 1, one),
        read("100-rows", "100 rows, newest approved", 1.0, Some(0.10), 100, newest),
        read("embed", "24 gigs with their agencies", 0.9, None, 24, gigs),
        read("rpc", "a function of 10 records", 0.9, None, 10, function),
        insert(people, anon_key),
    ];
    cases.retain(|case| only.is_empty() || only.iter().any(|key| key == case.key));
    ensure!(!cases.is_empty(), "--only takes one-row, 100-rows, embed, rpc and insert");
    Ok(cases)
}

/// Agencies post gigs in turn, because each may have only 500 and its inserts wait for each other.
fn insert(people: &People, anon_key: &str) -> Case {
    let post = |agency: &Person| {
        let mut request = request("POST", format!("{PREFIX}/gigs"), anon_key, agency);
        request.headers.push(("Content-Type", "application/json".to_owned()));
        request.headers.push(("Prefer", "return=minimal".to_owned()));
        request.body = serde_json::json!({
            "agency_id": agency.agency, "title": GIG_TITLE, "description": "Planned together, filmed once.",
            "budget": "RM 1,500", "duration": "2 weeks", "requirements": "Own equipment",
        })
        .to_string();
        request
    };
    let texts = |agency: &Person| vec![agency.user.clone(), agency.agency.clone()];
    Case {
        key: "insert",
        name: "insert of a gig",
        share: 0.9,
        cpu: None,
        requests: people.agencies.iter().map(post).collect(),
        person: people.agencies.first().map(|agency| agency.user.clone()).unwrap_or_default(),
        people: people.agencies.iter().map(texts).collect(),
        rows: None,
        clean_up: vec![
            format!("delete from app.gigs where title = '{GIG_TITLE}'"),
            "vacuum app.gigs".to_owned(),
        ],
    }
}

fn request(method: &'static str, path: String, anon_key: &str, person: &Person) -> Request {
    let headers =
        vec![("apikey", anon_key.to_owned()), ("Authorization", format!("Bearer {}", person.token))];
    Request { method, headers, ..Request::get(path) }
}

/// The function of the case `rpc`. It exists only while the benchmark runs.
pub fn create_function() -> String {
    format!(
        "create or replace function public.{FUNCTION}(records integer, label text, enabled boolean)
         returns table (id integer, name text, amount numeric, enabled_at timestamptz, is_enabled boolean)
         language sql stable set search_path = '' as $$
           select n, label || ' ' || n, n * 1.5, '2026-01-01Z'::timestamptz + n * interval '1 day', enabled
           from generate_series(1, records) as n
         $$;
         grant execute on function public.{FUNCTION} to authenticated;
         notify pgrst, 'reload schema'"
    )
}

pub fn drop_function() -> String {
    format!("drop function if exists public.{FUNCTION}; notify pgrst, 'reload schema'")
}
