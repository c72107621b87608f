//! Expectations of single faults, besides the limits that all of them have.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use reqwest::{Method, RequestBuilder};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::client::PASSWORD;
use super::outcome::Outcome;
use super::sampling::{Answer, Kind};
use super::stage::Stage;
use super::table::Fault;
use crate::machine::resident_megabytes;

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// Requests that must succeed with either clock: signing in, refreshing, a link.
    Sessions,
    /// Tables and accounts work, whatever happens to pictures.
    OthersWork,
    DownloadsWork,
    ReadsWork,
    /// Reads fail for at most a second: PostgreSQL restarts when it can't write WAL.
    ReadsReturn,
    /// Only reported.
    LongestRead,
    /// A delete whose file is out of reach gets 5xx, and both row and file stay.
    DeleteRefused,
    PictureNotFound,
    /// /ready answers 503 within four seconds: a success counts for 3 s while the next check hangs.
    NotReadySoon,
    /// It starts without its database, and says so.
    WaitsForDatabase,
    MailDelivered,
    /// The server accepted mails without confirming them, so they are sent again with the same Message-ID.
    MailDeliveredAgain,
    /// Memory during and after a flood.
    Memory,
}

use Check::*;

/// How long e-mails that were deferred twice may take.
pub const MAIL_PATIENCE: Duration = Duration::from_secs(60);
/// Sign-up must not wait for the mail server. Hashing a password takes a while in a debug build.
const SIGN_UP: Duration = Duration::from_secs(3);
/// Maximum memory in MB that may remain in use after a flood, and that may be used during it.
const KEPT: u64 = 40;
const PEAK: u64 = 600;
/// How long the process may take to return memory.
const GIVEN_BACK: Duration = Duration::from_secs(10);
/// Enough concurrent sign-ins to occupy every hashing thread, which each keep 19 MB.
const SIGN_INS: usize = 16;

/// What the checks have seen so far.
#[derive(Default)]
pub struct Seen {
    pub notes: Vec<String>,
    broken: Vec<String>,
    link: String,
    deleted: Option<u16>,
    memory: u64,
    peak: Arc<AtomicU64>,
    watcher: Option<JoinHandle<()>>,
}

impl Seen {
    /// # Errors
    /// When the product doesn't work before the fault.
    pub async fn before(stage: &mut Stage, fault: &Fault) -> anyhow::Result<Self> {
        let mut seen = Self::default();
        let expects = |check| fault.checks.contains(&check);
        if expects(Sessions) {
            seen.link = link(stage).await?;
        }
        if expects(DeleteRefused) || expects(PictureNotFound) {
            stage
                .client
                .upload("to-delete", 7)
                .send()
                .await?
                .error_for_status()
                .context("the picture to delete")?;
        }
        if expects(Memory) {
            let sign_ins = (0..SIGN_INS).map(|_| stage.client.send(Kind::SignIn));
            futures::future::join_all(sign_ins).await;
            let (pid, peak) = (stage.product.pid(), Arc::clone(&seen.peak));
            seen.memory = resident_megabytes(pid).unwrap_or_default();
            seen.watcher = Some(tokio::spawn(async move {
                loop {
                    peak.fetch_max(resident_megabytes(pid).unwrap_or_default(), Ordering::Relaxed);
                    sleep(Duration::from_millis(100)).await;
                }
            }));
        }
        Ok(seen)
    }

    pub fn check(&mut self, holds: bool, otherwise: impl Into<String>) {
        if !holds {
            self.broken.push(otherwise.into());
        }
    }

    /// Once the fault is there.
    ///
    /// # Errors
    /// When the product can't be reached.
    pub async fn during(&mut self, stage: &mut Stage, fault: &Fault) -> anyhow::Result<()> {
        for check in &fault.checks {
            match check {
                Sessions => {
                    for (what, status) in sessions(stage, &self.link).await? {
                        self.check((200..300).contains(&status), format!("{what} after the jump: {status}"));
                    }
                }
                DeleteRefused => self.deleted = Some(delete(stage).await?),
                PictureNotFound => {
                    let path = stage.client.picture_path("to-delete");
                    let status = stage.client.request(Method::GET, &path).send().await?.status().as_u16();
                    self.notes.push(format!("the picture's response is {status}"));
                    self.check(matches!(status, 400 | 404), "the response for a lost picture is not 404");
                }
                NotReadySoon => {
                    let (began, limit) = (Instant::now(), Duration::from_secs(4));
                    while ready(stage).await != Some(503) && began.elapsed() < 3 * limit {
                        sleep(Duration::from_millis(100)).await;
                    }
                    let took = began.elapsed();
                    self.check(took <= limit, format!("/ready responded 503 after {took:?}"));
                }
                WaitsForDatabase => {
                    sleep(Duration::from_secs(fault.hold.saturating_sub(1))).await;
                    let (exited, ready) = (stage.product.exited(), ready(stage).await);
                    self.check(exited.is_none(), format!("does not wait: {exited:?}"));
                    self.check(ready == Some(503), format!("/ready responds {ready:?}, not 503"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// After the recovery.
    ///
    /// # Errors
    /// When the database can't be queried.
    pub async fn after(
        mut self,
        stage: &mut Stage,
        fault: &Fault,
        outcome: &mut Outcome,
    ) -> anyhow::Result<()> {
        const OTHERS: [Kind; 6] =
            [Kind::Read, Kind::Write, Kind::Edit, Kind::User, Kind::SignIn, Kind::SignUp];
        for check in &fault.checks {
            let failed = |kinds: &[Kind]| outcome.failed(kinds).count();
            match check {
                OthersWork => self.check(failed(&OTHERS) == 0, "requests of other services failed"),
                DownloadsWork => self.check(failed(&[Kind::Download]) == 0, "downloads failed"),
                ReadsWork => self.check(failed(&[Kind::Read]) == 0, "reads failed"),
                ReadsReturn => {
                    let times: Vec<_> = outcome.failed(&[Kind::Read]).map(|sample| sample.began).collect();
                    let span = times.iter().max().zip(times.iter().min()).map(|(last, first)| *last - *first);
                    let span = span.unwrap_or_default();
                    let (inserts, reads) = (failed(&[Kind::Write]), times.len());
                    self.notes
                        .push(format!("{inserts} inserts failed; {reads} reads failed within {span:.1?}"));
                    self.check(span <= Duration::from_secs(1), format!("reads failed for {span:.1?}"));
                }
                LongestRead => {
                    let longest = outcome.longest_of(Kind::Read);
                    self.notes
                        .push(format!("reads of the same row took up to {:.1} s", longest.as_secs_f64()));
                }
                DeleteRefused => self.check_delete(stage).await?,
                // The product was stopped meanwhile.
                WaitsForDatabase => {
                    outcome.samples.retain(|sample| !matches!(sample.answer, Answer::Refused | Answer::Cut));
                }
                MailDelivered | MailDeliveredAgain => self.check_mail(fault, outcome),
                Memory => {
                    sleep(GIVEN_BACK).await;
                    let (before, peak) = (self.memory, self.peak.load(Ordering::Relaxed));
                    let after = resident_megabytes(stage.product.pid()).unwrap_or_default();
                    self.notes.push(format!("memory {before} → {peak} → {after} MB"));
                    self.check(
                        peak <= before + PEAK,
                        format!("{peak} MB at the peak (limit {})", before + PEAK),
                    );
                    self.check(after <= before + KEPT, format!("{after} MB kept (limit {})", before + KEPT));
                }
                _ => {}
            }
        }
        outcome.notes.append(&mut self.notes);
        outcome.broken.append(&mut self.broken);
        Ok(())
    }

    async fn check_delete(&mut self, stage: &Stage) -> anyhow::Result<()> {
        let rows = "select count(*) from storage.objects where name like '%/to-delete.gif'";
        let rows: i64 = stage.sql().await?.query_one(rows, &[]).await?.try_get(0)?;
        let exists = stage.client.stored("to-delete").await.is_some();
        let status = self.deleted.unwrap_or_default();
        self.check((500..=599).contains(&status), format!("a delete during the fault got {status}, not 5xx"));
        self.check(rows == 1 && exists, format!("a delete left {rows} rows; the picture exists: {exists}"));
        Ok(())
    }

    fn check_mail(&mut self, fault: &Fault, outcome: &Outcome) {
        let longest = outcome.longest_of(Kind::SignUp);
        self.check(longest < SIGN_UP, format!("a sign-up took {:.1} s", longest.as_secs_f64()));
        let (doubled, waiting) = (outcome.kept.mails_doubled, outcome.kept.mails_waiting);
        let seconds = MAIL_PATIENCE.as_secs();
        self.notes
            .push(format!("duplicate e-mails {doubled}, still in the outbox after {seconds} s {waiting}"));
        self.check(waiting == 0, format!("{waiting} e-mails are still in the outbox"));
        let may_double = fault.checks.contains(&MailDeliveredAgain);
        self.check(doubled == 0 || may_double, format!("{doubled} e-mails arrived twice"));
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        if let Some(watcher) = &self.watcher {
            watcher.abort();
        }
    }
}

async fn ready(stage: &Stage) -> Option<u16> {
    let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(1)).build().ok()?;
    Some(http.get(stage.product.ready_url()).send().await.ok()?.status().as_u16())
}

/// The status of a request to delete the picture that was stored before the fault.
async fn delete(stage: &Stage) -> anyhow::Result<u16> {
    let path = stage.client.picture_path("to-delete").replace("/public/", "/");
    let request = stage.client.request(Method::DELETE, &path).bearer_auth(&stage.client.agency.token);
    Ok(request.send().await?.status().as_u16())
}

/// The response to JSON, and its status.
async fn post(request: RequestBuilder, body: &Value) -> anyhow::Result<(u16, Value)> {
    let answer = request.json(body).send().await?;
    Ok((answer.status().as_u16(), answer.json().await.unwrap_or_default()))
}

/// The hash of a sign-in link that the service key generates. The address is confirmed first, because the first link
/// that proves an address voids the password.
async fn link(stage: &Stage) -> anyhow::Result<String> {
    let client = &stage.client;
    let as_service = |method, path: &str| client.request(method, path).bearer_auth(&client.service_role_key);
    let path = format!("/auth/v1/admin/users/{}", client.agency.user);
    post(as_service(Method::PUT, &path), &json!({ "email_confirm": true })).await?;
    let wanted = json!({ "type": "magiclink", "email": client.agency.email });
    let (_, link) = post(as_service(Method::POST, "/auth/v1/admin/generate_link"), &wanted).await?;
    link["hashed_token"].as_str().map(str::to_owned).context("a link")
}

/// Requests that must succeed with either clock, with the status of each.
async fn sessions(stage: &Stage, link: &str) -> anyhow::Result<Vec<(&'static str, u16)>> {
    let (client, agency) = (&stage.client, &stage.client.agency);
    let mut statuses = Vec::new();
    let mut token = Value::Null;
    for (what, path, body) in [
        (
            "refreshing a session",
            "token?grant_type=refresh_token",
            json!({ "refresh_token": agency.refresh_token }),
        ),
        ("a link from before", "verify", json!({ "type": "magiclink", "token_hash": link })),
        ("signing in", "token?grant_type=password", json!({ "email": agency.email, "password": PASSWORD })),
    ] {
        let request = client.request(Method::POST, &format!("/auth/v1/{path}"));
        let (status, mut session) = post(request, &body).await?;
        token = session["access_token"].take();
        statuses.push((what, status));
    }
    for (what, path) in
        [("reading rows", "/rest/v1/agencies?select=id&limit=1"), ("the account", "/auth/v1/user")]
    {
        let request = client.request(Method::GET, path).bearer_auth(token.as_str().unwrap_or_default());
        statuses.push((what, request.send().await?.status().as_u16()));
    }
    Ok(statuses)
}
