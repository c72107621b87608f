//! Measures sign-ins against the raw hash rate of the same machine, and how a flood of password guesses
//! affects others. Compared figures are measured alternately in many rounds, so that changes in the
//! machine's load affect both.

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use auth_service::hashing::HashCost;
use clap::Args;
use futures::future::try_join_all;
use reqwest::{Request, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::statistics::{median, percentile};
use crate::{machine, open_loop, report};

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
    /// URL of the services, such as `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// The key that creates the accounts
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    service_role_key: String,
    /// Seconds per figure in each round
    #[arg(long, default_value_t = 1)]
    seconds: u64,
    /// Number of rounds; the medians count. Use many short rounds, because a virtual machine's speed varies
    /// from second to second
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

/// # Errors
/// When the services are unreachable or return unexpected responses.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let (cores, time) = (machine::cores(), Duration::from_secs(options.seconds));
    println!("{cores} cores, load average {} before, {} rounds", machine::load(), options.rounds);
    let client = Client::new(options, AT_ONCE * cores).await.context("the benchmark accounts")?;
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
    let share = report::at_least("sign-ins, of raw hashes", median(&shares), Some(LEAST_SHARE), &mut broken);
    println!(
        "hashes per second, raw {:.1}; sign-ins per second {:.1}: {share}",
        median(&hashes),
        median(&sign_ins)
    );
    let shown = |value: f64| format!("{value:.1} times idle");
    let (quiet, busy) = (median(&idle), median(&guessed));
    let slowdown = report::at_most("other routes", busy / quiet, Some(MOST_SLOWDOWN), shown, &mut broken);
    println!("other routes, p99: idle {quiet:.2} ms, while passwords are guessed {busy:.2} ms: {slowdown}");
    println!(
        "  meanwhile {compared} guesses compared, {refused} refused\nload average {} after",
        machine::load()
    );
    Ok(report::end(&broken))
}

struct Client {
    http: reqwest::Client,
    url: String,
    anon_key: String,
    token: String,
    /// One sign-in per account, built in advance so that the client takes as little CPU time as possible.
    sign_ins: Vec<Request>,
    guess: Request,
}

impl Client {
    /// Creates the accounts.
    async fn new(options: &Options, accounts: usize) -> anyhow::Result<Self> {
        let (http, url) = (reqwest::Client::new(), options.url.trim_end_matches('/').to_owned());
        let request = |path: &str, key: &str, body: &Value| {
            http.post(format!("{url}/auth/v1/{path}"))
                .header("apikey", key)
                .bearer_auth(key)
                .json(body)
                .build()
        };
        let sign_in = |email: &str, password: &str| {
            let body = json!({ "email": email, "password": password });
            request("token?grant_type=password", &options.anon_key, &body)
        };
        let (mut sign_ins, mut guess) = (Vec::new(), None);
        for _ in 0..accounts {
            let email = format!("bench-{:016x}@serasi.test", rand::random::<u64>());
            let account = json!({ "email": email, "password": PASSWORD, "email_confirm": true });
            let made = http.execute(request("admin/users", &options.service_role_key, &account)?).await?;
            ensure!(made.status().is_success(), "{}: {}", made.status(), made.text().await?);
            sign_ins.push(sign_in(&email, PASSWORD)?);
            guess = Some(sign_in(&email, "not this one")?);
        }
        let first = sign_ins[0].try_clone().context("a request")?;
        let session: Value = http.execute(first).await?.error_for_status()?.json().await?;
        let token = session["access_token"].as_str().context("an access token")?.to_owned();
        let anon_key = options.anon_key.clone();
        Ok(Self { url, anon_key, token, sign_ins, guess: guess.context("accounts")?, http })
    }

    async fn status(&self, request: &Request) -> anyhow::Result<StatusCode> {
        let request = request.try_clone().context("a request without a stream")?;
        let answer = self.http.execute(request).await?;
        let status = answer.status();
        answer.bytes().await?;
        Ok(status)
    }

    async fn sign_ins_per_second(&self, time: Duration) -> anyhow::Result<f64> {
        let began = Instant::now();
        let one = |request| async move {
            let mut done = 0_u32;
            while began.elapsed() < time {
                let status = self.status(request).await?;
                ensure!(status == StatusCode::OK, "signing in: {status}");
                done += 1;
            }
            Ok(done)
        };
        let done: u32 = try_join_all(self.sign_ins.iter().map(one)).await?.into_iter().sum();
        Ok(f64::from(done) / began.elapsed().as_secs_f64())
    }

    /// The 99th percentile of the latency of a client that alternately reads its account and a list.
    async fn others(&self, time: Duration) -> anyhow::Result<f64> {
        let read = |number: u32| async move {
            let path = ["auth/v1/user", "rest/v1/influencers?select=id,name&limit=24"][number as usize % 2];
            let request = self.http.get(format!("{}/{path}", self.url)).header("apikey", &self.anon_key);
            let status = self.status(&request.bearer_auth(&self.token).build()?).await?;
            ensure!(status == StatusCode::OK, "{path}: {status}");
            Ok(status.as_u16())
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
                match self.status(&self.guess).await? {
                    StatusCode::BAD_REQUEST => compared += 1,
                    StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
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
