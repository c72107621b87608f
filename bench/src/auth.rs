//! Measures sign-ins against the raw hash rate of the same machine, and how a flood of password guesses
//! affects others. Compared figures are measured alternately in many rounds, so that changes in the
//! machine's load affect both.

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use auth_service::hashing::HashCost;
use clap::Args;
use futures::future::try_join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::product::{self, Product};
use crate::{
    machine, open_loop,
    report::{self, median, percentile},
};

/// Minimum ratio of sign-ins to raw hashes.
const LEAST_SHARE: f64 = 0.85;
/// Maximum slowdown of other routes during password guessing.
const MOST_SLOWDOWN: f64 = 4.0;
/// Concurrent sign-ins per core: enough to keep every core hashing while others wait for the disk, but not
/// so many that requests are rejected.
const AT_ONCE: usize = 12;
/// Concurrent guessers, more than the service queues.
const GUESSERS: usize = 96;
/// Requests in a second of a client that only reads.
const READS: u32 = 100;
const PASSWORD: &str = "measured-password";
/// Pause before a rejected guesser retries. Shorter than the requested Retry-After. Without a pause this would measure how
/// fast the service can reject.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: Product,
    /// Number of rounds of a second for each figure; the medians count. Many short rounds, because a virtual machine's speed
    /// varies from second to second
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

/// # Errors
/// When the services are unreachable or return unexpected responses.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let (cores, time) = (machine::cores(), Duration::from_secs(1));
    println!("{cores} cores, load average {} before, {} rounds", machine::load(), options.rounds);
    let client = Client::new(&options.product, AT_ONCE * cores).await.context("the benchmark accounts")?;
    let (mut hashes, mut sign_ins, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    let (mut idle, mut guessed, mut compared, mut refused) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..options.rounds {
        let (raw, served) = (hashes_per_second(cores, time)?, client.sign_ins_per_second(time).await?);
        hashes.push(raw);
        sign_ins.push(served);
        shares.push(served / raw);
        idle.push(client.others(time).await?);
        let (others, (guesses, refusals)) = tokio::try_join!(client.others(time), client.guess(time))?;
        guessed.push(others);
        compared += guesses;
        refused += refusals;
    }
    let mut broken = Vec::new();
    let share = report::at_least("sign-ins, of raw hashes", median(&shares), LEAST_SHARE, &mut broken);
    let (raw, served) = (median(&hashes), median(&sign_ins));
    println!("hashes per second, raw {raw:.1}; sign-ins per second {served:.1}: {share}");
    let (quiet, busy) = (median(&idle), median(&guessed));
    let slowdown =
        report::at_most("other routes", busy / quiet, Some(MOST_SLOWDOWN), "times idle", &mut broken);
    println!("other routes, p99: idle {quiet:.2} ms, while passwords are guessed {busy:.2} ms: {slowdown}");
    println!(
        "  meanwhile {compared} guesses compared, {refused} refused\nload average {} after",
        machine::load()
    );
    Ok(report::end(&broken))
}

struct Client<'a> {
    product: &'a Product,
    token: String,
    accounts: Vec<String>,
}

impl<'a> Client<'a> {
    async fn new(product: &'a Product, accounts: usize) -> anyhow::Result<Self> {
        let accounts =
            (0..accounts).map(|_| format!("bench-{:016x}@serasi.test", rand::random::<u64>())).collect();
        let mut client = Self { product, accounts, token: String::new() };
        for email in &client.accounts {
            let account = json!({ "email": email, "password": PASSWORD, "email_confirm": true });
            product.send(Method::POST, "/auth/v1/admin/users", &account).await?;
        }
        let session = product::body(client.sign_in(&client.accounts[0], PASSWORD)).await?;
        let session: Value = serde_json::from_slice(&session)?;
        client.token = session["access_token"].as_str().context("an access token")?.to_owned();
        Ok(client)
    }

    fn sign_in(&self, email: &str, password: &str) -> RequestBuilder {
        let request = self.product.request(Method::POST, "/auth/v1/token?grant_type=password");
        request.json(&json!({ "email": email, "password": password }))
    }

    async fn sign_ins_per_second(&self, time: Duration) -> anyhow::Result<f64> {
        let began = Instant::now();
        let one = async |email: &String| -> anyhow::Result<u32> {
            let mut done = 0_u32;
            while began.elapsed() < time {
                let status = product::status(self.sign_in(email, PASSWORD)).await?;
                ensure!(status == 200, "signing in: {status}");
                done += 1;
            }
            Ok(done)
        };
        let done: u32 = try_join_all(self.accounts.iter().map(one)).await?.into_iter().sum();
        Ok(f64::from(done) / began.elapsed().as_secs_f64())
    }

    /// The 99th percentile of the latency of a client that alternately reads its account and a list.
    async fn others(&self, time: Duration) -> anyhow::Result<f64> {
        let read = |number: u32| async move {
            let path = ["/auth/v1/user", "/rest/v1/influencers?select=id,name&limit=24"][number as usize % 2];
            let request = self.product.request(Method::GET, path).bearer_auth(&self.token);
            let status = product::status(request).await?;
            ensure!(status == 200, "{path}: {status}");
            Ok(status)
        };
        let answers = open_loop::run(READS, time, read).await?;
        Ok(percentile(&answers.iter().map(|answer| answer.took).collect::<Vec<_>>(), 0.99))
    }

    /// Guesses wrong passwords continuously. Returns how many were compared, and how many refused.
    async fn guess(&self, time: Duration) -> anyhow::Result<(u32, u32)> {
        let began = Instant::now();
        let one = |number: usize| async move {
            let (mut compared, mut refused) = (0, 0);
            // Stagger the guessers, or all of them would be rejected in the same millisecond.
            sleep(RETRY_PAUSE.mul_f64(number as f64 / GUESSERS as f64)).await;
            while began.elapsed() < time {
                match product::status(self.sign_in(&self.accounts[0], "not this one")).await? {
                    400 => compared += 1,
                    429 | 503 => {
                        refused += 1;
                        sleep(RETRY_PAUSE).await;
                    }
                    other => bail!("guessing: {other}"),
                }
            }
            Ok((compared, refused))
        };
        let all = try_join_all((0..GUESSERS).map(one)).await?;
        Ok(all.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1)))
    }
}

/// The minimum cost of signing in: hashes on every core, with reused memory, and at the service's low priority.
fn hashes_per_second(cores: usize, time: Duration) -> anyhow::Result<f64> {
    let params = HashCost::OWASP_MINIMUM.params().map_err(|error| anyhow!("{error}"))?;
    let blocks = params.block_count();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let began = Instant::now();
    let compute = || -> anyhow::Result<u32> {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(10);
        let (mut memory, mut output) = (vec![Block::default(); blocks], [0; Params::DEFAULT_OUTPUT_LEN]);
        let mut computed = 0;
        while began.elapsed() < time {
            let hashed = argon2.hash_password_into_with_memory(
                b"measured",
                b"with some salt",
                &mut output,
                &mut memory,
            );
            hashed.map_err(|error| anyhow!("{error}"))?;
            computed += 1;
        }
        Ok(computed)
    };
    let computed: u32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(compute)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
            .sum::<anyhow::Result<u32>>()
    })?;
    Ok(f64::from(computed) / began.elapsed().as_secs_f64())
}
