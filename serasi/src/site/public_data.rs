//! The public data of profiles for page heads and the sitemap. It is requested from the gateway
//! anonymously, so that row-level security decides what is public.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde::Deserialize;
use tower::ServiceExt;

use super::head::{Head, excerpt};
use super::pages::Page;

/// Don't delay a page for its head.
const TIMEOUT: Duration = Duration::from_secs(2);
const LONGEST_ANSWER: usize = 1 << 20;

/// A response from the gateway.
pub struct Answer {
    pub status: StatusCode,
    /// The Content-Range header.
    pub range: Option<String>,
    pub body: Vec<u8>,
}

#[derive(Clone)]
pub struct PublicData {
    gateway: Router,
}

#[derive(Deserialize)]
struct Influencer {
    name: String,
    username: String,
    category: String,
    bio: Option<String>,
    location: Option<String>,
    profile_image: Option<String>,
}

#[derive(Deserialize)]
struct Agency {
    name: String,
    description: Option<String>,
    location: Option<String>,
    logo_url: Option<String>,
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

/// Part of a list, with the total length.
pub struct Listed {
    pub ids: Vec<String>,
    pub total: u64,
}

pub fn is_uuid(id: &str) -> bool {
    id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

impl PublicData {
    pub const fn new(gateway: Router) -> Self {
        Self { gateway }
    }

    /// The head of a profile page. Returns `None` if visitors can't see such a page, or an error if that is
    /// unknown.
    pub async fn head(&self, page: &Page, id: &str) -> anyhow::Result<Option<Head>> {
        if !is_uuid(id) {
            return Ok(None);
        }
        let head = |title, description: Option<String>, picture: Option<String>| Head {
            title,
            description: description
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| page.description.clone()),
            picture: picture.filter(|url| !url.is_empty()),
            canonical: Some(page.path.replace(":id", id)),
            kind: "profile",
        };
        if page.path.starts_with("/agency") {
            let agency: Option<Agency> =
                self.one("agencies?select=name,description,location,logo_url", id).await?;
            return Ok(agency.map(|agency| {
                let about = agency.description.filter(|text| !text.trim().is_empty());
                let place = agency.location.map(|place| format!("An agency in {place}."));
                head(agency.name, about.as_deref().map(excerpt).or(place), agency.logo_url)
            }));
        }
        let columns = "influencers?select=name,username,category,bio,location,profile_image&approved=is.true";
        let influencer: Option<Influencer> = self.one(columns, id).await?;
        Ok(influencer.map(|person| {
            let place = person.location.filter(|place| !place.is_empty());
            let facts = [Some(format!("@{}", person.username)), Some(person.category), place];
            let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            let bio = person.bio.filter(|text| !text.trim().is_empty());
            let about = bio.map_or_else(|| facts.clone(), |bio| format!("{facts}. {bio}"));
            head(person.name, Some(excerpt(&about)), person.profile_image)
        }))
    }

    /// Ids in creation order, so that new profiles are appended.
    pub async fn listed(&self, table: &str, first: usize, rows: usize) -> anyhow::Result<Listed> {
        let approved = if table == "influencers" { "&approved=is.true" } else { "" };
        let query = format!("{table}?select=id&order=created_at,id&offset={first}&limit={rows}{approved}");
        let (body, range) = self.ask(&query, Some("count=exact")).await?;
        let total = range.and_then(|range| range.rsplit('/').next()?.parse().ok()).unwrap_or(0);
        let ids: Vec<Id> = serde_json::from_slice(&body)?;
        Ok(Listed { ids: ids.into_iter().map(|row| row.id).collect(), total })
    }

    async fn one<Row: for<'de> Deserialize<'de>>(
        &self,
        query: &str,
        id: &str,
    ) -> anyhow::Result<Option<Row>> {
        let (body, _) = self.ask(&format!("{query}&id=eq.{id}"), None).await?;
        let rows: Vec<Row> = serde_json::from_slice(&body)?;
        Ok(rows.into_iter().next())
    }

    async fn ask(&self, query: &str, prefer: Option<&str>) -> anyhow::Result<(Vec<u8>, Option<String>)> {
        let headers = prefer.map(|prefer| ("prefer", prefer));
        let path = format!("/{query}");
        let answer = self.get(&path, headers, LONGEST_ANSWER);
        let answer = tokio::time::timeout(TIMEOUT, answer).await??;
        if answer.status == StatusCode::RANGE_NOT_SATISFIABLE {
            return Ok((b"[]".to_vec(), None));
        }
        anyhow::ensure!(answer.status.is_success(), "the gateway answered {}", answer.status);
        Ok((answer.body, answer.range))
    }

    /// Sends an anonymous request with exactly these headers, whoever requested the page.
    pub async fn get<'header>(
        &self,
        path: &str,
        headers: impl IntoIterator<Item = (&'header str, &'header str)>,
        longest: usize,
    ) -> anyhow::Result<Answer> {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let answer = self.gateway.clone().oneshot(request.body(Body::empty())?).await?;
        let range = answer.headers().get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
        let (status, range) = (answer.status(), range.map(str::to_owned));
        let body = axum::body::to_bytes(answer.into_body(), longest).await?.to_vec();
        Ok(Answer { status, range, body })
    }
}
