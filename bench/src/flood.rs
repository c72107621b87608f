//! Measures how floods of requests to the gateway affect others: reads rows by key and lists from another address,
//! alternately without a flood and during each flood. A flood comes from one address, from many accounts of one
//! address, or from many addresses.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use futures::future::{join, join_all};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use reqwest::{Client, StatusCode};
use serde::Deserialize;

use crate::machine;
use crate::speed::people;
use crate::statistics::{median, percentile};

/// Maximum slowdown of light requests at the 99th percentile.
const MOST_SLOWDOWN: f64 = 5.0;
const FLOODER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
const VISITOR: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 3));
/// For floods without a rate.
const FLOOD_CONNECTIONS: usize = 64;
const ACCOUNTS: usize = 60;
const ACCOUNT_REQUESTS_PER_SECOND: u32 = 35;
const ADDRESSES: usize = 50;
const ADDRESS_REQUESTS_PER_SECOND: u32 = 20;
const VISITOR_CONNECTIONS: usize = 4;
/// Pause between two light requests of a connection.
const PACE: Duration = Duration::from_millis(20);
/// Pause before a rejected flooder retries. The client shares the cores with the server, and would distort the
/// measurement.
const IMPATIENCE: Duration = Duration::from_millis(100);
/// Duration of the flood before the measurement begins.
const WARM_UP: Duration = Duration::from_secs(1);
const CATEGORIES: [&str; 4] = ["Fashion", "Beauty", "Travel", "Food"];

#[derive(Args)]
pub struct Options {
    /// How one client's flood affects another client's requests
    #[arg(long, required = true)]
    flood: bool,
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// Signs the tokens of the flooding accounts
    #[arg(long, env = "JWT_SECRET", hide_env_values = true)]
    jwt_secret: String,
    /// Number of light requests in each measurement
    #[arg(long, default_value_t = 300)]
    requests: usize,
    /// Number of measurements; the medians count
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

#[derive(Clone, Copy)]
enum Flood {
    /// Number of regular expressions in each request.
    Regexes(usize),
    Searches,
    /// Searches by many accounts of one address.
    Accounts,
    /// Suggestions for searches without a match, to many addresses.
    CloseMatches,
}

const FLOODS: [(&str, Flood); 5] = [
    ("60 regular expressions", Flood::Regexes(60)),
    ("20 regular expressions", Flood::Regexes(20)),
    ("searches", Flood::Searches),
    ("searches by 60 accounts of one address, 35 requests a second", Flood::Accounts),
    ("close matches to 50 addresses, 20 requests a second", Flood::CloseMatches),
];

/// # Errors
/// When the gateway can't be reached or has no rows.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.flood, "choose what to measure: --flood");
    println!(
        "{} cores, load average {} before; {} light requests, {} rounds",
        machine::cores(),
        machine::load(),
        options.requests,
        options.rounds
    );
    let bench = Bench::new(options).await?;
    let mut quiet = Vec::new();
    let mut flooded: [Vec<Measured>; FLOODS.len()] = Default::default();
    for _ in 0..options.rounds {
        quiet.push(bench.light(options.requests).await);
        for (rounds, (_, flood)) in flooded.iter_mut().zip(FLOODS) {
            rounds.push(bench.during(flood, options.requests).await);
        }
    }
    let quiet_p99 = p99(&quiet);
    println!("quiet: p99 {quiet_p99:.1} ms, {}", outcomes(&quiet));
    let mut is_kept = quiet.iter().all(|round| round.refused == 0);
    for (rounds, (name, _)) in flooded.iter().zip(FLOODS) {
        let slowdown = p99(rounds) / quiet_p99;
        let kept = slowdown <= MOST_SLOWDOWN && rounds.iter().all(|round| round.refused == 0);
        println!(
            "{name}: p99 {:.1} ms, {slowdown:.1} times the baseline (at most {MOST_SLOWDOWN}), {}{}",
            p99(rounds),
            outcomes(rounds),
            if kept { "" } else { "  BROKEN" }
        );
        let mut answers = BTreeMap::<u16, u32>::new();
        for (status, count) in rounds.iter().flat_map(|round| &round.flood) {
            *answers.entry(*status).or_default() += count;
        }
        println!("  responses to the flood: {answers:?}");
        is_kept &= kept;
    }
    println!("load average {} after", machine::load());
    Ok(is_kept)
}

#[derive(Default)]
struct Measured {
    /// Milliseconds.
    took: Vec<f64>,
    refused: usize,
    /// The number of the flood's responses by status.
    flood: BTreeMap<u16, u32>,
}

fn p99(rounds: &[Measured]) -> f64 {
    median(&rounds.iter().map(|round| percentile(&round.took, 0.99)).collect::<Vec<_>>())
}

fn outcomes(rounds: &[Measured]) -> String {
    let requests: usize = rounds.iter().map(|round| round.took.len()).sum();
    let refused: usize = rounds.iter().map(|round| round.refused).sum();
    format!("{refused} of {requests} refused")
}

struct Bench {
    visitor: Client,
    flooder: Client,
    /// Clients with different addresses.
    flooders: Vec<Client>,
    tokens: Vec<String>,
    api: String,
    ids: Vec<String>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
}

impl Bench {
    async fn new(options: &Options) -> anyhow::Result<Self> {
        let client = |address| {
            let key = [(reqwest::header::HeaderName::from_static("apikey"), options.anon_key.parse()?)];
            let client = Client::builder().local_address(address).default_headers(key.into_iter().collect());
            anyhow::Ok(client.timeout(Duration::from_secs(30)).build()?)
        };
        let (visitor, flooder) = (client(VISITOR)?, client(FLOODER)?);
        let addresses = (1..=ADDRESSES).map(|number| Ipv4Addr::from_bits(0x7F00_0100 + number as u32).into());
        let flooders = addresses.map(client).collect::<anyhow::Result<_>>()?;
        let keys = JwtKeys::from_secret(Secret::new(&options.jwt_secret))?;
        let account = |number| people::token(&keys, &format!("00000000-0000-4000-8000-{number:012}"));
        let tokens = (0..ACCOUNTS).map(account).collect::<anyhow::Result<_>>()?;
        let api = format!("{}/rest/v1", options.url.trim_end_matches('/'));
        let first = format!("{api}/influencers?select=id&limit=300");
        let some = visitor.get(first).send().await?.error_for_status()?;
        let ids: Vec<_> = some.json::<Vec<Row>>().await?.into_iter().map(|row| row.id).collect();
        ensure!(!ids.is_empty(), "there are no influencers to request");
        Ok(Self { visitor, flooder, flooders, tokens, api, ids })
    }

    async fn light(&self, requests: usize) -> Measured {
        let share = requests.div_ceil(VISITOR_CONNECTIONS);
        let connections = (0..VISITOR_CONNECTIONS).map(|connection| async move {
            let mut measured = Measured::default();
            for number in 0..share {
                let id = &self.ids[(connection * share + number) % self.ids.len()];
                let query = match number % 2 {
                    0 => format!("influencers?id=eq.{id}&select=id,name"),
                    _ => "influencers?select=id,name&order=created_at.desc,id.desc&limit=24".to_owned(),
                };
                let asked = Instant::now();
                let answer = self.get(&self.visitor, None, &query).await;
                measured.took.push(asked.elapsed().as_secs_f64() * 1000.0);
                measured.refused += usize::from(!matches!(answer, Ok(StatusCode::OK)));
                tokio::time::sleep(PACE).await;
            }
            measured
        });
        let mut all = Measured::default();
        for one in join_all(connections).await {
            all.took.extend(one.took);
            all.refused += one.refused;
        }
        all
    }

    async fn during(&self, flood: Flood, requests: usize) -> Measured {
        let is_over = AtomicBool::new(false);
        let measuring = async {
            tokio::time::sleep(WARM_UP).await;
            let measured = self.light(requests).await;
            is_over.store(true, Ordering::Relaxed);
            measured
        };
        let flooding = join_all((0..flood.connections()).map(|number| self.flood(flood, number, &is_over)));
        let (mut measured, answers) = join(measuring, flooding).await;
        for status in answers.into_iter().flatten() {
            *measured.flood.entry(status).or_default() += 1;
        }
        measured
    }

    /// The statuses; 0 means no response.
    async fn flood(&self, flood: Flood, connection: usize, is_over: &AtomicBool) -> Vec<u16> {
        let (client, token) = match flood {
            Flood::CloseMatches => (&self.flooders[connection], None),
            Flood::Accounts => (&self.flooder, Some(self.tokens[connection].as_str())),
            Flood::Regexes(_) | Flood::Searches => (&self.flooder, None),
        };
        let interval = flood.interval();
        if let Some(interval) = interval {
            // So that the connections take turns.
            tokio::time::sleep(interval * connection as u32 / flood.connections() as u32).await;
        }
        let mut answers = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            let began = Instant::now();
            let query = flood.query(connection + answers.len());
            let status = self.get(client, token, &query).await.map_or(0, |status| status.as_u16());
            answers.push(status);
            match interval {
                Some(interval) => tokio::time::sleep(interval.saturating_sub(began.elapsed())).await,
                None if status != 200 => tokio::time::sleep(IMPATIENCE).await,
                None => {}
            }
        }
        answers
    }

    async fn get(&self, client: &Client, token: Option<&str>, query: &str) -> anyhow::Result<StatusCode> {
        let request = client.get(format!("{}/{query}", self.api));
        let answer = token.iter().fold(request, |request, token| request.bearer_auth(token)).send().await?;
        let status = answer.status();
        answer.bytes().await.context("a body")?;
        Ok(status)
    }
}

impl Flood {
    fn connections(self) -> usize {
        match self {
            Self::Regexes(_) | Self::Searches => FLOOD_CONNECTIONS,
            Self::Accounts => ACCOUNTS,
            Self::CloseMatches => ADDRESSES,
        }
    }

    /// The time between two requests of a connection.
    fn interval(self) -> Option<Duration> {
        let interval = |count: usize, rate: u32| Some(Duration::from_secs(1) * count as u32 / rate);
        match self {
            Self::Regexes(_) | Self::Searches => None,
            Self::Accounts => interval(ACCOUNTS, ACCOUNT_REQUESTS_PER_SECOND),
            Self::CloseMatches => interval(ADDRESSES, ADDRESS_REQUESTS_PER_SECOND),
        }
    }

    fn query(self, number: usize) -> String {
        match self {
            Self::Regexes(count) => {
                let one = |index| encoded(&format!("bio.imatch.\"(a|b)+.*{number}.*(c|d)+{index}$\""));
                let conditions: Vec<_> = (0..count).map(one).collect();
                format!("influencers?select=id&or=({})", conditions.join(","))
            }
            Self::CloseMatches => format!("rpc/search_close_influencers?query=travl%20fotografer%20{number}"),
            Self::Searches | Self::Accounts => {
                let category = CATEGORIES[number % CATEGORIES.len()];
                let word = encoded(&format!("%{}%", number % 100));
                format!(
                    "influencers?select=*&approved=is.true&category=eq.{category}&or=(name.ilike.{word},username.ilike.{word},\
                     bio.ilike.{word})&order=created_at.desc&limit=24"
                )
            }
        }
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
