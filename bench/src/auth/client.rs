//! Concurrent requests to the running services.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use bytes::Bytes;
use futures::future::try_join_all;
use reqwest::{Request, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::time::MissedTickBehavior;

use super::Options;

const PASSWORD: &str = "measured-password";
/// Pause before a rejected guesser retries.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

pub struct Client {
    http: reqwest::Client,
    url: String,
    anon_key: String,
    /// One account per concurrent sign-in. The first one is the target of the guesses.
    emails: Vec<String>,
    /// The sign-in requests, built in advance so that the client takes as little CPU time as possible.
    sign_ins: Vec<Request>,
}

#[derive(Default)]
pub struct Guesses {
    pub compared: u32,
    /// Duration of each rejection in milliseconds.
    pub refusals: Vec<f64>,
}

impl Client {
    /// Creates the accounts.
    ///
    /// # Errors
    /// When they can't be created.
    pub async fn new(options: &Options, accounts: usize) -> anyhow::Result<Self> {
        let emails: Vec<_> =
            (0..accounts).map(|_| format!("bench-{:016x}@serasi.test", rand::random::<u64>())).collect();
        let mut client = Self {
            http: reqwest::Client::new(),
            url: options.url.trim_end_matches('/').to_owned(),
            anon_key: options.anon_key.clone(),
            emails,
            sign_ins: Vec::new(),
        };
        for email in &client.emails {
            let made = client
                .http
                .post(format!("{}/auth/v1/admin/users", client.url))
                .bearer_auth(&options.service_role_key)
                .json(&json!({ "email": email, "password": PASSWORD, "email_confirm": true }))
                .send()
                .await?;
            ensure!(made.status().is_success(), "{}: {}", made.status(), made.text().await?);
        }
        let sign_in = |email| {
            let body = json!({ "email": email, "password": PASSWORD });
            client.token("password", &body).build()
        };
        client.sign_ins = client.emails.iter().map(sign_in).collect::<Result<_, _>>()?;
        Ok(client)
    }

    fn token(&self, grant: &str, body: &Value) -> RequestBuilder {
        self.http
            .post(format!("{}/auth/v1/token?grant_type={grant}", self.url))
            .header("apikey", &self.anon_key)
            .json(body)
    }

    async fn sign_in(&self, number: usize) -> anyhow::Result<Bytes> {
        let request = self.sign_ins[number].try_clone().context("a request without a stream")?;
        let answer = self.http.execute(request).await?;
        let status = answer.status();
        let body = answer.bytes().await?;
        ensure!(status == StatusCode::OK, "signing in: {status} {}", String::from_utf8_lossy(&body));
        Ok(body)
    }

    async fn session(&self, number: usize) -> anyhow::Result<Value> {
        Ok(serde_json::from_slice(&self.sign_in(number).await?)?)
    }

    pub async fn sign_ins_per_second(&self, at_once: usize, time: Duration) -> anyhow::Result<f64> {
        let began = Instant::now();
        let one = |number| async move {
            let mut done = 0_u32;
            while began.elapsed() < time {
                self.sign_in(number).await?;
                done += 1;
            }
            anyhow::Ok(done)
        };
        let done: u32 = try_join_all((0..at_once).map(one)).await?.into_iter().sum();
        Ok(f64::from(done) / began.elapsed().as_secs_f64())
    }

    /// Each concurrent client has its own session.
    pub async fn refreshes_per_second(&self, at_once: usize, time: Duration) -> anyhow::Result<f64> {
        let sessions = try_join_all((0..at_once).map(|number| self.session(number))).await?;
        let began = Instant::now();
        let one = |mut session: Value| async move {
            let mut done = 0_u32;
            while began.elapsed() < time {
                let answer = self
                    .token("refresh_token", &json!({ "refresh_token": session["refresh_token"] }))
                    .send()
                    .await?;
                ensure!(answer.status() == StatusCode::OK, "refreshing: {}", answer.status());
                session = answer.json().await?;
                done += 1;
            }
            Ok(done)
        };
        let done: u32 = try_join_all(sessions.into_iter().map(one)).await?.into_iter().sum();
        Ok(f64::from(done) / began.elapsed().as_secs_f64())
    }

    pub async fn users_per_second(&self, at_once: usize, time: Duration) -> anyhow::Result<f64> {
        let token = self.access_token().await?;
        let began = Instant::now();
        let one = || async {
            let mut done = 0_u32;
            while began.elapsed() < time {
                self.user(&token).await?;
                done += 1;
            }
            anyhow::Ok(done)
        };
        let done: u32 = try_join_all((0..at_once).map(|_| one())).await?.into_iter().sum();
        Ok(f64::from(done) / began.elapsed().as_secs_f64())
    }

    /// Latencies in milliseconds of a client that alternately reads its account and a list.
    pub async fn others(&self, pace: Duration, time: Duration) -> anyhow::Result<Vec<f64>> {
        let token = self.access_token().await?;
        let began = Instant::now();
        let mut took = Vec::new();
        let mut next = tokio::time::interval(pace);
        next.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while began.elapsed() < time {
            next.tick().await;
            let asked = Instant::now();
            if took.len() % 2 == 0 {
                self.user(&token).await?;
            } else {
                let list = self.http.get(format!("{}/rest/v1/influencers?select=id,name&limit=24", self.url));
                let answer = list.header("apikey", &self.anon_key).send().await?.error_for_status()?;
                answer.bytes().await?;
            }
            took.push(asked.elapsed().as_secs_f64() * 1000.0);
        }
        Ok(took)
    }

    /// Guesses wrong passwords continuously.
    pub async fn guess(&self, at_once: usize, time: Duration) -> anyhow::Result<Guesses> {
        let began = Instant::now();
        let one = |number: usize| async move {
            let mut guesses = Guesses::default();
            // Stagger the guessers, or all of them would be rejected in the same millisecond.
            tokio::time::sleep(RETRY_PAUSE.mul_f64(number as f64 / at_once as f64)).await;
            while began.elapsed() < time {
                let asked = Instant::now();
                let answer = self
                    .token("password", &json!({ "email": self.emails[0], "password": "not this one" }))
                    .send()
                    .await?;
                match answer.status() {
                    StatusCode::BAD_REQUEST => guesses.compared += 1,
                    StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                        guesses.refusals.push(asked.elapsed().as_secs_f64() * 1000.0);
                        // Shorter than the requested Retry-After. Without a pause this would measure how
                        // fast the service can reject.
                        tokio::time::sleep(RETRY_PAUSE).await;
                    }
                    other => anyhow::bail!("guessing: {other}"),
                }
            }
            Ok(guesses)
        };
        let mut all = Guesses::default();
        for one in try_join_all((0..at_once).map(one)).await? {
            all.compared += one.compared;
            all.refusals.extend(one.refusals);
        }
        Ok(all)
    }

    async fn access_token(&self) -> anyhow::Result<String> {
        let session = self.session(0).await?;
        session["access_token"].as_str().map(str::to_owned).context("an access token")
    }

    async fn user(&self, token: &str) -> anyhow::Result<()> {
        let asked = self.http.get(format!("{}/auth/v1/user", self.url)).bearer_auth(token);
        asked.send().await?.error_for_status()?.bytes().await?;
        Ok(())
    }
}
