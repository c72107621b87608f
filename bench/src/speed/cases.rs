//! The measured cases, and the limits.

use super::people::{People, Person};
use crate::http::Request;

/// p99 at half of the highest rate may be this many times p50.
pub const MOST_TAIL: f64 = 3.0;
/// Memory limit of the whole process after the load, in megabytes.
pub const MOST_MEMORY: f64 = 30.0;
/// The prefix of all paths.
pub const PREFIX: &str = "/rest/v1";
/// The columns that the search page shows of an influencer.
const CARD_COLUMNS: &str = "id,name,username,category,bio,location,profile_image,badge_type,instagram_followers,\
    tiktok_followers,youtube_followers,twitter_followers,created_at";
const GIG_TITLE: &str = "Serasi benchmark";
const FUNCTION: &str = "serasi_bench_records";

pub struct Limits {
    /// Share of the transactions per second that pgbench reaches one statement after the other.
    pub plain: f64,
    /// Share of those that pgbench reaches with pipelines.
    pub pipelined: Option<f64>,
    /// The gateway's own CPU time for a request, in milliseconds.
    pub cpu: Option<f64>,
}

pub struct Case {
    /// The name for `--only`.
    pub key: &'static str,
    pub name: &'static str,
    pub limits: Limits,
    /// The requests, sent in turn.
    pub requests: Vec<Request>,
    /// The account of the first request.
    pub person: String,
    /// The texts in which the requests differ, in the same order; empty if they don't.
    pub people: Vec<Vec<String>>,
    /// Number of rows in the response; `None` if it has no body.
    pub rows: Option<usize>,
    /// Statements that remove what one measurement added, each run by itself.
    pub clean_up: Vec<String>,
}

/// # Errors
/// None of these matches `only`.
pub fn all(people: &People, anon_key: &str, only: &[String]) -> anyhow::Result<Vec<Case>> {
    let mut cases = reads(&people.influencer, anon_key);
    cases.push(insert(people, anon_key));
    cases.retain(|case| only.is_empty() || only.iter().any(|key| key == case.key));
    anyhow::ensure!(!cases.is_empty(), "--only takes one-row, 100-rows, embed, rpc and insert");
    Ok(cases)
}

fn reads(reader: &Person, anon_key: &str) -> Vec<Case> {
    let case = |key, name, limits, rows, path: String| Case {
        key,
        name,
        limits,
        requests: vec![request("GET", path, anon_key, reader)],
        person: reader.user.clone(),
        people: Vec::new(),
        rows: Some(rows),
        clean_up: Vec::new(),
    };
    vec![
        case(
            "one-row",
            "one row by key",
            Limits { plain: 0.90, pipelined: Some(0.40), cpu: Some(0.05) },
            1,
            format!("{PREFIX}/user_roles?select=role&user_id=eq.{}", reader.user),
        ),
        case(
            "100-rows",
            "100 rows, newest approved",
            Limits { plain: 0.85, pipelined: None, cpu: Some(0.10) },
            100,
            format!(
                "{PREFIX}/influencers?select={CARD_COLUMNS}&approved=is.true&order=created_at.desc&limit=100"
            ),
        ),
        case(
            "embed",
            "24 gigs with their agencies",
            Limits { plain: 0.80, pipelined: None, cpu: None },
            24,
            format!("{PREFIX}/gigs?select=*,agencies(name,logo_url)&order=created_at.desc&limit=24"),
        ),
        case(
            "rpc",
            "a function of 10 records",
            Limits { plain: 0.90, pipelined: None, cpu: None },
            10,
            format!("{PREFIX}/rpc/{FUNCTION}?records=10&label=bench&enabled=true"),
        ),
    ]
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
    Case {
        key: "insert",
        name: "insert of a gig",
        limits: Limits { plain: 0.80, pipelined: None, cpu: None },
        requests: people.agencies.iter().map(post).collect(),
        person: people.agencies.first().map(|agency| agency.user.clone()).unwrap_or_default(),
        people: people
            .agencies
            .iter()
            .map(|agency| vec![agency.user.clone(), agency.agency.clone()])
            .collect(),
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
    Request { method, path, headers, body: String::new() }
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
