//! Measures how floods of requests to the gateway affect others: rows by key and lists are read from another address,
//! alternately without a flood and during each flood.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use futures::future::{join, join_all};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use reqwest::Client;
use serde_json::Value;
use tokio::time::sleep;

use crate::statistics::{median, percentile};
use crate::{machine, open_loop, people, report};

/// Maximum slowdown of light requests at the 99th percentile.
const MOST_SLOWDOWN: f64 = 5.0;
/// Light requests in a second.
const LIGHT: u32 = 100;
/// Pause before a rejected flooder retries. The client shares the cores with the server, and would distort the
/// measurement.
const IMPATIENCE: Duration = Duration::from_millis(100);
/// Duration of the flood before the measurement begins.
const WARM_UP: Duration = Duration::from_secs(1);
const CATEGORIES: [&str; 4] = ["Fashion", "Beauty", "Travel", "Food"];

#[derive(Args)]
pub struct Options {
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// Signs the tokens of the flooding accounts
    #[arg(long, env = "JWT_SECRET", hide_env_values = true)]
    jwt_secret: String,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Number of measurements; the medians count
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

struct Flood {
    name: &'static str,
    /// Connections, and the requests in a second of all of them; as fast as possible without a rate.
    connections: usize,
    rate: Option<u32>,
    /// Each connection has an address, or a token, of its own.
    addresses: bool,
    accounts: bool,
    query: fn(usize) -> String,
}

const FLOODS: [Flood; 5] = [
    Flood { query: |number| regexes(number, 60), ..flood("60 regular expressions") },
    Flood { query: |number| regexes(number, 20), ..flood("20 regular expressions") },
    Flood { query: search, ..flood("searches") },
    Flood {
        connections: 60,
        rate: Some(35),
        accounts: true,
        query: search,
        ..flood("searches by 60 accounts of one address, 35 requests a second")
    },
    Flood {
        connections: 50,
        rate: Some(20),
        addresses: true,
        query: |number| format!("rpc/search_close_influencers?query=travl%20fotografer%20{number}"),
        ..flood("close matches to 50 addresses, 20 requests a second")
    },
];

const fn flood(name: &'static str) -> Flood {
    Flood { name, connections: 64, rate: None, addresses: false, accounts: false, query: search }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn regexes(number: usize, count: usize) -> String {
    let one = |index| encoded(&format!("bio.imatch.\"(a|b)+.*{number}.*(c|d)+{index}$\""));
    format!("influencers?select=id&or=({})", (0..count).map(one).collect::<Vec<_>>().join(","))
}

fn search(number: usize) -> String {
    let (category, word) = (CATEGORIES[number % CATEGORIES.len()], encoded(&format!("%{}%", number % 100)));
    format!(
        "influencers?select=*&approved=is.true&category=eq.{category}&or=(name.ilike.{word},username.ilike.{word},\
         bio.ilike.{word})&order=created_at.desc&limit=24"
    )
}

/// # Errors
/// When the gateway can't be reached or has no rows.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    println!("{} cores, load average {} before", machine::cores(), machine::load());
    let bench = Bench::new(options).await?;
    let mut p99s: Vec<Vec<f64>> = vec![Vec::new(); FLOODS.len() + 1];
    let mut answers: Vec<BTreeMap<u16, u32>> = vec![BTreeMap::new(); FLOODS.len()];
    let mut refused = 0;
    for _ in 0..options.rounds {
        let (p99, bad) = bench.light(options.seconds).await?;
        p99s[FLOODS.len()].push(p99);
        refused += bad;
        for (at, flood) in FLOODS.iter().enumerate() {
            let (p99, bad) = bench.during(flood, options.seconds, &mut answers[at]).await?;
            p99s[at].push(p99);
            refused += bad;
        }
    }
    let quiet = median(&p99s[FLOODS.len()]);
    println!("quiet: p99 {quiet:.1} ms");
    let mut broken = Vec::new();
    for (at, flood) in FLOODS.iter().enumerate() {
        let p99 = median(&p99s[at]);
        let shown = |value: f64| format!("{value:.1} times the baseline");
        let slowdown = report::at_most(flood.name, p99 / quiet, Some(MOST_SLOWDOWN), shown, &mut broken);
        println!("{}: p99 {p99:.1} ms, {slowdown}; responses to the flood: {:?}", flood.name, answers[at]);
    }
    if refused > 0 {
        broken.push(format!("{refused} light requests were refused"));
    }
    println!("load average {} after", machine::load());
    Ok(report::end(&broken))
}

struct Bench<'a> {
    options: &'a Options,
    visitor: Client,
    tokens: Vec<String>,
    ids: Vec<String>,
}

impl<'a> Bench<'a> {
    async fn new(options: &'a Options) -> anyhow::Result<Self> {
        let keys = JwtKeys::from_secret(Secret::new(&options.jwt_secret))?;
        let account = |number| people::token(&keys, &format!("00000000-0000-4000-8000-{number:012}"));
        let tokens = (0..64).map(account).collect::<anyhow::Result<_>>()?;
        let mut bench = Self { options, visitor: client(3)?, tokens, ids: Vec::new() };
        let first = bench.request(&bench.visitor, None, "influencers?select=id&limit=300").send().await?;
        let rows: Vec<Value> = first.error_for_status()?.json().await?;
        bench.ids = rows.iter().filter_map(|row| row["id"].as_str().map(str::to_owned)).collect();
        ensure!(!bench.ids.is_empty(), "there are no influencers to request");
        Ok(bench)
    }

    fn request(&self, client: &Client, token: Option<&String>, query: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/rest/v1/{query}", self.options.url.trim_end_matches('/'));
        let request = client.get(url).header("apikey", &self.options.anon_key);
        token.into_iter().fold(request, |request, token| request.bearer_auth(token))
    }

    /// The 99th percentile of the latency of light requests, and how many were refused.
    async fn light(&self, seconds: u64) -> anyhow::Result<(f64, usize)> {
        let send = |number: u32| {
            let id = &self.ids[number as usize % self.ids.len()];
            let query = match number % 2 {
                0 => format!("influencers?id=eq.{id}&select=id,name"),
                _ => "influencers?select=id,name&order=created_at.desc,id.desc&limit=24".to_owned(),
            };
            self.status(&self.visitor, None, query)
        };
        let answers = open_loop::run(LIGHT, Duration::from_secs(seconds), send).await?;
        let took: Vec<f64> = answers.iter().map(|answer| answer.took).collect();
        Ok((percentile(&took, 0.99), answers.iter().filter(|answer| answer.status != 200).count()))
    }

    async fn status(&self, client: &Client, token: Option<&String>, query: String) -> anyhow::Result<u16> {
        let answer = self.request(client, token, &query).send().await?;
        let status = answer.status().as_u16();
        answer.bytes().await?;
        Ok(status)
    }

    async fn during(
        &self,
        flood: &Flood,
        seconds: u64,
        answers: &mut BTreeMap<u16, u32>,
    ) -> anyhow::Result<(f64, usize)> {
        let is_over = AtomicBool::new(false);
        let measuring = async {
            sleep(WARM_UP).await;
            let measured = self.light(seconds).await;
            is_over.store(true, Ordering::Relaxed);
            measured
        };
        let flooding = join_all((0..flood.connections).map(|number| self.flood(flood, number, &is_over)));
        let (measured, statuses) = join(measuring, flooding).await;
        for status in statuses.into_iter().flatten().flatten() {
            *answers.entry(status).or_default() += 1;
        }
        measured
    }

    /// The statuses; 0 means no response.
    async fn flood(
        &self,
        flood: &Flood,
        connection: usize,
        is_over: &AtomicBool,
    ) -> anyhow::Result<Vec<u16>> {
        let client = client(if flood.addresses { 0x0100 + connection as u32 } else { 2 })?;
        let token = flood.accounts.then(|| &self.tokens[connection]);
        let interval = flood.rate.map(|rate| Duration::from_secs(1) * flood.connections as u32 / rate);
        if let Some(interval) = interval {
            // So that the connections take turns.
            sleep(interval * connection as u32 / flood.connections as u32).await;
        }
        let mut answers = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            let began = Instant::now();
            let query = (flood.query)(connection + answers.len());
            let status = self.status(&client, token, query).await.unwrap_or(0);
            answers.push(status);
            match interval {
                Some(interval) => sleep(interval.saturating_sub(began.elapsed())).await,
                None if status != 200 => sleep(IMPATIENCE).await,
                None => {}
            }
        }
        Ok(answers)
    }
}

/// A client with an address of its own: 127.0.0.`number`, and so on.
fn client(number: u32) -> anyhow::Result<Client> {
    let address = IpAddr::from(Ipv4Addr::from_bits(0x7F00_0000 + number));
    Ok(Client::builder().local_address(address).timeout(Duration::from_secs(30)).build()?)
}
