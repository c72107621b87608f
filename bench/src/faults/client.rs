//! The requests of the product's clients, one at a time. Each response is recorded as a [`Sample`], and each
//! acknowledged write as an entry of the [`Ledger`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::ledger::{Ledger, Replaced};

/// A client's timeout.
pub const PATIENCE: Duration = Duration::from_secs(25);
pub const PASSWORD: &str = "correct horse";
/// Pictures that are replaced repeatedly, each by one client at a time.
const REPLACED: u64 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Read,
    Write,
    Edit,
    User,
    SignIn,
    SignUp,
    Upload,
    Replace,
    Download,
    Page,
    Function,
}

impl Kind {
    /// What `serasi up --api-only` serves.
    pub const ALL: [Self; 9] = [
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::User,
        Self::SignIn,
        Self::SignUp,
        Self::Upload,
        Self::Replace,
        Self::Download,
    ];
    /// With the services that only a whole deployment has.
    pub const DEPLOYED: [Self; 11] = [
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::User,
        Self::SignIn,
        Self::SignUp,
        Self::Upload,
        Self::Replace,
        Self::Download,
        Self::Page,
        Self::Function,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "insert",
            Self::Edit => "update",
            Self::User => "session",
            Self::SignIn => "sign-in",
            Self::SignUp => "sign-up",
            Self::Upload => "upload",
            Self::Replace => "replace",
            Self::Download => "download",
            Self::Page => "page",
            Self::Function => "function",
        }
    }

    /// Interval between two requests of a kind.
    pub fn pace(self) -> Duration {
        Duration::from_millis(match self {
            Self::Read | Self::Write => 150,
            Self::User | Self::Download | Self::Page | Self::Function => 300,
            Self::Edit | Self::Upload | Self::Replace => 400,
            Self::SignIn | Self::SignUp => 900,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Status(u16),
    /// Nothing listens at the address.
    Refused,
    /// The connection was closed without a response.
    Cut,
    /// No response within [`PATIENCE`].
    Silent,
}

impl Answer {
    pub fn is_good(self) -> bool {
        matches!(self, Self::Status(200..=299))
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(f, "{status}"),
            Self::Refused => f.write_str("refused"),
            Self::Cut => f.write_str("cut"),
            Self::Silent => f.write_str("silent"),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Sample {
    pub kind: Kind,
    pub began: Instant,
    pub took: Duration,
    pub answer: Answer,
    pub has_retry_after: bool,
    /// The shortened error message.
    pub said: String,
}

pub struct Client {
    http: reqwest::Client,
    url: String,
    pub anon_key: String,
    pub service_role_key: String,
    agency: Agency,
    next: AtomicU64,
    busy: [tokio::sync::Mutex<()>; REPLACED as usize],
    pub ledger: Mutex<Ledger>,
    pub samples: Mutex<Vec<Sample>>,
}

pub struct Agency {
    pub email: String,
    pub user: String,
    pub profile: String,
    pub token: String,
    pub refresh_token: String,
}

impl Client {
    /// Creates an agency account, uploads one picture, and creates the pictures to be replaced.
    ///
    /// # Errors
    /// When the product returns an unexpected response.
    pub async fn new(url: String, anon_key: String, service_role_key: String) -> anyhow::Result<Arc<Self>> {
        let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?;
        let email = format!("agency-{:016x}@faults.test", rand::random::<u64>());
        let body = json!({ "email": email, "password": PASSWORD, "data": { "user_type": "agency" } });
        let session = http.post(format!("{url}/auth/v1/signup")).json(&body).send().await?;
        let session: Value = session.error_for_status()?.json().await?;
        let text = |value: &Value| value.as_str().map(str::to_owned).context("a session");
        let (user, token) = (text(&session["user"]["id"])?, text(&session["access_token"])?);
        let own = http
            .post(format!("{url}/rest/v1/agencies?select=id"))
            .bearer_auth(&token)
            .header("prefer", "return=representation")
            .json(&json!({ "user_id": user, "name": "Faults", "email": email }));
        let own: Value = own.send().await?.error_for_status()?.json().await?;
        let agency = Agency {
            email,
            user,
            profile: text(&own[0]["id"])?,
            refresh_token: text(&session["refresh_token"])?,
            token,
        };
        let client = Arc::new(Self {
            http,
            url,
            anon_key,
            service_role_key,
            agency,
            next: AtomicU64::new(1),
            busy: Default::default(),
            ledger: Mutex::default(),
            samples: Mutex::default(),
        });
        let first = client.upload("first", 1).send().await?;
        ensure!(first.status().is_success(), "an upload: {}", first.text().await?);
        for kind in Kind::ALL {
            let sample = client.send(kind).await;
            ensure!(
                sample.answer.is_good(),
                "{} before any fault: {} {}",
                kind.name(),
                sample.answer,
                sample.said
            );
        }
        Ok(client)
    }

    pub fn agency(&self) -> &Agency {
        &self.agency
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).header("apikey", &self.anon_key)
    }

    pub fn upload(&self, name: &str, color: u32) -> RequestBuilder {
        self.request(Method::POST, &format!("/storage/v1/object/images/{}/{name}.gif", self.agency.user))
            .bearer_auth(&self.agency.token)
            .header(CONTENT_TYPE, "image/gif")
            .header("x-upsert", "true")
            .body(colored_gif(color))
    }

    pub fn picture_path(&self, name: &str) -> String {
        format!("/storage/v1/object/public/images/{}/{name}.gif", self.agency.user)
    }

    /// The bytes of a picture, if it exists.
    pub async fn stored(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.picture_path(name);
        for _ in 0..3 {
            let answer = self.request(Method::GET, &path).send().await;
            if let Ok(answer) = answer
                && answer.status().is_success()
                && let Ok(bytes) = answer.bytes().await
            {
                return Some(bytes.to_vec());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        None
    }

    /// Replaces a picture. No other client may do so at the same time.
    pub async fn replace(&self, name: String, color: u32) -> Sample {
        let attempt = |ledger: &mut Ledger| {
            ledger.replaced.entry(name.clone()).or_default().attempted.push(color);
        };
        attempt(&mut self.ledger.lock().unwrap_or_else(PoisonError::into_inner));
        let sample = sample(Kind::Replace, self.upload(&name, color)).await;
        if sample.answer.is_good() {
            let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            ledger.replaced.insert(name, Replaced { acknowledged: Some(color), attempted: Vec::new() });
        }
        self.samples.lock().unwrap_or_else(PoisonError::into_inner).push(sample.clone());
        sample
    }

    /// The next request of a kind.
    fn next_request(&self, kind: Kind, number: u64, color: u32) -> RequestBuilder {
        let agency = &self.agency;
        match kind {
            Kind::Read => self.request(Method::GET, "/rest/v1/agencies?select=id,name&limit=5"),
            Kind::Write => {
                self.request(Method::POST, "/rest/v1/gigs").bearer_auth(&agency.token).json(&json!({
                    "agency_id": agency.profile, "title": gig(number), "description": "one of many"
                }))
            }
            Kind::Edit => self
                .request(Method::PATCH, &format!("/rest/v1/agencies?user_id=eq.{}", agency.user))
                .bearer_auth(&agency.token)
                .json(&json!({ "description": format!("version {number}") })),
            Kind::User => self.request(Method::GET, "/auth/v1/user").bearer_auth(&agency.token),
            Kind::SignIn => self
                .request(Method::POST, "/auth/v1/token?grant_type=password")
                .json(&json!({ "email": agency.email, "password": PASSWORD })),
            Kind::SignUp => self.request(Method::POST, "/auth/v1/signup").json(&json!({
                "email": vendor(number), "password": PASSWORD, "data": { "user_type": "vendor" }
            })),
            Kind::Upload | Kind::Replace => self.upload(&upload(number), color),
            Kind::Download => self.request(Method::GET, &self.picture_path("first")),
            Kind::Page => self.request(Method::GET, "/"),
            Kind::Function => self
                .request(Method::POST, "/functions/v1/create-admin")
                .bearer_auth(&agency.token)
                .json(&json!({ "email": "nobody@faults.test", "password": PASSWORD })),
        }
    }

    /// Sends one request and records its outcome.
    pub async fn send(&self, kind: Kind) -> Sample {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let color = u32::try_from(number & 0x00ff_ffff).unwrap_or_default();
        if kind == Kind::Replace {
            // Held until the response, so that writes are recorded in order. Otherwise the expected content would be
            // unknown.
            let _turn = self.busy[(number % REPLACED) as usize].lock().await;
            return self.replace(replaced(number), color).await;
        }
        let request = self.next_request(kind, number, color);
        let mut sample = sample(kind, request).await;
        if kind == Kind::Function && sample.answer == Answer::Status(403) {
            // An agency may not. The function has asked the gateway for the caller's role.
            sample.answer = Answer::Status(200);
        }
        if sample.answer.is_good() {
            let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            match kind {
                Kind::Write => ledger.rows.push(gig(number)),
                Kind::SignUp => ledger.accounts.push(vendor(number)),
                Kind::Upload => ledger.uploads.push((upload(number), color)),
                _ => (),
            }
        }
        self.samples.lock().unwrap_or_else(PoisonError::into_inner).push(sample.clone());
        sample
    }
}

/// Sends a request and measures its duration.
pub async fn sample(kind: Kind, request: RequestBuilder) -> Sample {
    let began = Instant::now();
    let received = async {
        let answer = request.send().await?;
        let (status, has_retry_after) = (answer.status(), answer.headers().contains_key(RETRY_AFTER));
        let said = if status.is_success() { drain(answer).await? } else { answer.text().await? };
        Ok::<_, reqwest::Error>((Answer::Status(status.as_u16()), has_retry_after, said))
    };
    let (answer, has_retry_after, said) = received.await.unwrap_or_else(|error| {
        let answer = if error.is_timeout() {
            Answer::Silent
        } else if error.is_connect() {
            Answer::Refused
        } else {
            Answer::Cut
        };
        (answer, false, String::new())
    });
    let said = said.chars().take(160).collect();
    Sample { kind, began, took: began.elapsed(), answer, has_retry_after, said }
}

async fn drain(answer: Response) -> reqwest::Result<String> {
    answer.bytes().await.map(|_| String::new())
}

/// A one-pixel picture with a distinguishing color.
pub fn colored_gif(color: u32) -> Vec<u8> {
    let [_, red, green, blue] = color.to_be_bytes();
    let mut gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00".to_vec();
    gif.extend([red, green, blue, 0, 0, 0]);
    gif.extend(b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b");
    gif
}

fn gig(number: u64) -> String {
    format!("gig {number}")
}

fn vendor(number: u64) -> String {
    format!("vendor-{number}@faults.test")
}

fn upload(number: u64) -> String {
    format!("upload-{number}")
}

fn replaced(number: u64) -> String {
    format!("replaced-{}", number % REPLACED)
}
