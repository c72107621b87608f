//! The requests of the product's clients, one at a time. Each response is recorded as a [`Sample`], and each
//! acknowledged write as an entry of the [`Ledger`].

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::sampling::{Answer, Kind, PATIENCE, Sample, sample};

pub const PASSWORD: &str = "correct horse";
/// Pictures that are replaced repeatedly, each by one client at a time.
const REPLACED: u64 = 4;

pub struct Client {
    http: reqwest::Client,
    url: String,
    pub anon_key: String,
    pub service_role_key: String,
    pub agency: Agency,
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

/// Acknowledged writes since the last check.
#[derive(Default)]
pub struct Ledger {
    /// Titles of gigs.
    pub rows: Vec<String>,
    /// Names of uploads and their colors.
    pub uploads: Vec<(String, u32)>,
    /// Addresses that signed up: an account and a mail each.
    pub accounts: Vec<String>,
    /// Pictures that are replaced again and again.
    pub replaced: BTreeMap<String, Replaced>,
}

/// The valid contents of a picture: the acknowledged one, or a later one whose response was lost.
#[derive(Default, Clone)]
pub struct Replaced {
    pub acknowledged: Option<u32>,
    pub attempted: Vec<u32>,
}

impl Ledger {
    /// Each account has a mail.
    pub fn count(&self) -> usize {
        self.rows.len() + self.uploads.len() + 2 * self.accounts.len() + self.replaced.len()
    }
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
        let post = async |path: &str, token: &str, body: Value| -> anyhow::Result<Value> {
            let request = http.post(format!("{url}{path}")).header("prefer", "return=representation");
            let request = if token.is_empty() { request } else { request.bearer_auth(token) };
            Ok(request.json(&body).send().await?.error_for_status()?.json().await?)
        };
        let session = post("/auth/v1/signup", "", body).await?;
        let text = |value: &Value| value.as_str().map(str::to_owned).context("a session");
        let (user, token) = (text(&session["user"]["id"])?, text(&session["access_token"])?);
        let body = json!({ "user_id": user, "name": "Faults", "email": email });
        let own = post("/rest/v1/agencies?select=id", &token, body).await?;
        let (profile, refresh_token) = (text(&own[0]["id"])?, text(&session["refresh_token"])?);
        let agency = Agency { email, user, profile, refresh_token, token };
        let client = Arc::new(Self {
            http,
            url,
            anon_key,
            service_role_key,
            agency,
            // Other clients of the same product use other names.
            next: AtomicU64::new(u64::from(rand::random::<u32>()) << 16),
            busy: Default::default(),
            ledger: Mutex::default(),
            samples: Mutex::default(),
        });
        let first = client.upload("first", 1).send().await?;
        ensure!(first.status().is_success(), "an upload: {}", first.text().await?);
        for kind in Kind::ALL {
            let Sample { answer, said, .. } = client.send(kind).await;
            ensure!(answer.is_good(), "{} before any fault: {answer} {said}", kind.name());
        }
        Ok(client)
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
                    "agency_id": agency.profile, "title": created(kind, number), "description": "one of many"
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
                "email": created(kind, number), "password": PASSWORD, "data": { "user_type": "vendor" }
            })),
            Kind::Upload | Kind::Replace => self.upload(&created(kind, number), color),
            Kind::Download => self.request(Method::GET, &self.picture_path("first")),
            Kind::List => self.request(
                Method::GET,
                "/rest/v1/influencers?select=id,name,category&name=ilike.*a*&order=created_at.desc,id.desc&limit=24",
            ),
            Kind::Render => {
                let path = self.picture_path("first").replace("/object/", "/render/image/");
                self.request(Method::GET, &format!("{path}?width={}", 16 + number % 8))
            }
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
            return self.replace(created(kind, number), color).await;
        }
        let request = self.next_request(kind, number, color);
        let mut sample = sample(kind, request).await;
        if kind == Kind::Function && sample.answer == Answer::Status(403) {
            // An agency may not use the function, which has queried the caller's role through the gateway.
            sample.answer = Answer::Status(200);
        }
        if sample.answer.is_good() {
            let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            match kind {
                Kind::Write => ledger.rows.push(created(kind, number)),
                Kind::SignUp => ledger.accounts.push(created(kind, number)),
                Kind::Upload => ledger.uploads.push((created(kind, number), color)),
                _ => (),
            }
        }
        self.samples.lock().unwrap_or_else(PoisonError::into_inner).push(sample.clone());
        sample
    }
}

/// A one-pixel picture with a distinguishing color.
pub fn colored_gif(color: u32) -> Vec<u8> {
    let [_, red, green, blue] = color.to_be_bytes();
    let mut gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00".to_vec();
    gif.extend([red, green, blue, 0, 0, 0]);
    gif.extend(b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b");
    gif
}

/// What a request creates.
fn created(kind: Kind, number: u64) -> String {
    match kind {
        Kind::Write => format!("gig {number}"),
        Kind::SignUp => format!("vendor-{number}@faults.test"),
        Kind::Replace => format!("replaced-{}", number % REPLACED),
        _ => format!("upload-{number}"),
    }
}
