//! The public data of profiles for page heads and the sitemap. It is requested from the gateway
//! anonymously, so that row-level security decides what is public. The requests carry the visitor's address,
//! because the gateway limits each visitor's load.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderName, HeaderValue, Request, StatusCode, header};
use platform::log_limit::LogLimit;
use serde::Deserialize;
use tower::ServiceExt;

use super::head::{Head, excerpt};
use super::pages::Page;

/// Don't delay a page for its head.
const TIMEOUT: Duration = Duration::from_secs(2);
const LONGEST_ANSWER: usize = 1 << 20;
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

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
    peer: Option<ConnectInfo<SocketAddr>>,
    forwarded: Vec<HeaderValue>,
    /// While the gateway is busy, every page view fails to get its data.
    warnings: Arc<LogLimit>,
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
    pub fn new(gateway: Router) -> Self {
        Self { gateway, peer: None, forwarded: Vec::new(), warnings: Arc::default() }
    }

    /// The same data, requested on behalf of the visitor who sent this request.
    pub fn requested_by<B>(&self, visitor: &Request<B>) -> Self {
        Self {
            gateway: self.gateway.clone(),
            peer: visitor.extensions().get().copied(),
            forwarded: visitor.headers().get_all(FORWARDED).into_iter().cloned().collect(),
            warnings: Arc::clone(&self.warnings),
        }
    }

    pub fn warn(&self, error: &anyhow::Error, consequence: &str) {
        if self.warnings.allows(None) {
            tracing::warn!(%error, "{consequence}");
        }
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

    /// Sends an anonymous request with these headers. The visitor's own credentials are not passed on.
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
        for value in &self.forwarded {
            request = request.header(FORWARDED, value);
        }
        if let Some(peer) = self.peer {
            request = request.extension(peer);
        }
        let answer = self.gateway.clone().oneshot(request.body(Body::empty())?).await?;
        let range = answer.headers().get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
        let (status, range) = (answer.status(), range.map(str::to_owned));
        let body = axum::body::to_bytes(answer.into_body(), longest).await?.to_vec();
        Ok(Answer { status, range, body })
    }
}

#[cfg(test)]
mod tests {
    use axum::extract::Request as Received;
    use axum::routing::get;

    use super::*;

    #[tokio::test]
    async fn the_gateway_gets_the_address_of_the_visitor_and_nothing_else() {
        let gateway = Router::new().route(
            "/list",
            get(|request: Received| async move {
                let ConnectInfo(peer): ConnectInfo<SocketAddr> = *request.extensions().get().unwrap();
                format!("{peer} {:?}", request.headers())
            }),
        );
        let visitor = Request::get("/search")
            .header("authorization", "Bearer secret")
            .header("cookie", "a=b")
            .header("x-forwarded-for", "198.51.100.7")
            .extension(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 9))))
            .body(())
            .unwrap();
        let answer = PublicData::new(gateway).requested_by(&visitor).get("/list", [], 1000).await.unwrap();
        let told = String::from_utf8(answer.body).unwrap();
        assert_eq!(told, "192.0.2.1:9 {\"x-forwarded-for\": \"198.51.100.7\"}");
    }
}
