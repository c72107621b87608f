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
use reqwest::Method;
use serde_json::Value;
use tokio::time::sleep;

use crate::product::{self, Product};
use crate::{
    machine, open_loop,
    report::{self, median, percentile},
};

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
    #[command(flatten)]
    product: Product,
    /// Number of measurements; the medians count
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

/// What each connection has of its own.
#[derive(PartialEq)]
enum Own {
    Nothing,
    Address,
    Account,
}

/// Name, connections, the requests in a second of all of them (as fast as possible without a rate), and their queries.
struct Flood(&'static str, u32, Option<u32>, Own, fn(usize) -> String);

const FLOODS: [Flood; 5] = [
    Flood("60 regular expressions", 64, None, Own::Nothing, |number| regexes(number, 60)),
    Flood("20 regular expressions", 64, None, Own::Nothing, |number| regexes(number, 20)),
    Flood("searches", 64, None, Own::Nothing, search),
    Flood("searches by 60 accounts of one address, 35 a second", 60, Some(35), Own::Account, search),
    Flood("close matches to 50 addresses, 20 a second", 50, Some(20), Own::Address, close_matches),
];

fn close_matches(number: usize) -> String {
    format!("rpc/search_close_influencers?query=travl%20fotografer%20{number}")
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
    let (product, time) = (&options.product, Duration::from_secs(3));
    let rows =
        product::body(product.request(Method::GET, "/rest/v1/influencers?select=id&limit=300")).await?;
    let rows: Vec<Value> = serde_json::from_slice(&rows)?;
    let ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    ensure!(!ids.is_empty(), "there are no influencers to request");
    let visitor = Client { product, http: client(3)?, token: None };
    let (mut quiet, mut refused) = (Vec::new(), 0);
    let mut p99s: [Vec<f64>; FLOODS.len()] = Default::default();
    let mut answers: [BTreeMap<u16, u32>; FLOODS.len()] = Default::default();
    for _ in 0..options.rounds {
        let (p99, bad) = light(&visitor, &ids, time).await?;
        quiet.push(p99);
        refused += bad;
        for (at, flood) in FLOODS.iter().enumerate() {
            let is_over = AtomicBool::new(false);
            let measuring = async {
                sleep(WARM_UP).await;
                let measured = light(&visitor, &ids, time).await;
                is_over.store(true, Ordering::Relaxed);
                measured
            };
            let connections = (0..flood.1).map(|number| flood.run(product, number, &is_over));
            let (measured, statuses) = join(measuring, join_all(connections)).await;
            statuses.into_iter().flatten().flatten().for_each(|status| {
                *answers[at].entry(status).or_default() += 1;
            });
            let (p99, bad) = measured?;
            p99s[at].push(p99);
            refused += bad;
        }
    }
    let quiet = median(&quiet);
    println!("quiet: p99 {quiet:.1} ms");
    let mut broken = Vec::new();
    for (at, flood) in FLOODS.iter().enumerate() {
        let p99 = median(&p99s[at]);
        let slowdown =
            report::at_most(flood.0, p99 / quiet, Some(MOST_SLOWDOWN), "times the baseline", &mut broken);
        println!("{}: p99 {p99:.1} ms, {slowdown}; responses to the flood: {:?}", flood.0, answers[at]);
    }
    if refused > 0 {
        broken.push(format!("{refused} light requests were refused"));
    }
    println!("load average {} after", machine::load());
    Ok(report::end(&broken))
}

/// A client with an address of its own.
struct Client<'a> {
    product: &'a Product,
    http: reqwest::Client,
    token: Option<String>,
}

impl Client<'_> {
    async fn status(&self, query: &str) -> anyhow::Result<u16> {
        let request = self.http.get(format!("{}/rest/v1/{query}", self.product.url));
        let request = request.header("apikey", &self.product.anon_key);
        let request = self.token.iter().fold(request, |request, token| request.bearer_auth(token));
        product::status(request).await
    }
}

/// The 99th percentile of the latency of light requests, and how many were refused.
async fn light(visitor: &Client<'_>, ids: &[&str], time: Duration) -> anyhow::Result<(f64, usize)> {
    let send = |number: u32| async move {
        let query = match number % 2 {
            0 => format!("influencers?id=eq.{}&select=id,name", ids[number as usize % ids.len()]),
            _ => "influencers?select=id,name&order=created_at.desc,id.desc&limit=24".to_owned(),
        };
        visitor.status(&query).await
    };
    let answers = open_loop::run(LIGHT, time, send).await?;
    let took: Vec<f64> = answers.iter().map(|answer| answer.took).collect();
    Ok((percentile(&took, 0.99), answers.iter().filter(|answer| answer.status != 200).count()))
}

impl Flood {
    /// The statuses that one connection gets; 0 means no response.
    async fn run(
        &self,
        product: &Product,
        connection: u32,
        is_over: &AtomicBool,
    ) -> anyhow::Result<Vec<u16>> {
        let Self(_, connections, rate, own, query) = self;
        let http = client(if *own == Own::Address { 0x0100 + connection } else { 2 })?;
        let account = format!("00000000-0000-4000-8000-{connection:012}");
        let token = (*own == Own::Account).then(|| product.token(&account)).transpose()?;
        let client = Client { product, http, token };
        let interval = rate.map(|rate| Duration::from_secs(1) * *connections / rate);
        if let Some(interval) = interval {
            // So that the connections take turns.
            sleep(interval * connection / *connections).await;
        }
        let mut answers = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            let began = Instant::now();
            let status = client.status(&query(connection as usize + answers.len())).await.unwrap_or(0);
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

/// Connects from 127.0.0.`number`, and so on.
fn client(number: u32) -> anyhow::Result<reqwest::Client> {
    let address = IpAddr::from(Ipv4Addr::from_bits(0x7F00_0000 + number));
    let client = reqwest::Client::builder().no_proxy().local_address(address);
    Ok(client.timeout(Duration::from_secs(30)).build()?)
}
