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
use serde_json::Value;
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

const AGENCY: &str = "agencies?select=name,description,location,logo_url";
const INFLUENCER: &str =
    "influencers?select=name,username,category,bio,location,profile_image&approved=is.true";

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
        let is_agency = page.path.starts_with("/agency");
        let query = if is_agency { AGENCY } else { INFLUENCER };
        let (rows, _) = self.ask(&format!("{query}&id=eq.{id}"), None).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let text = |column: &str| row[column].as_str().filter(|text| !text.trim().is_empty());
        let (description, picture) = if is_agency {
            let place = text("location").map(|place| format!("An agency in {place}."));
            (text("description").map(excerpt).or(place), "logo_url")
        } else {
            let name = text("username").map(|name| format!("@{name}"));
            let facts = [name.as_deref(), text("category"), text("location")];
            let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            let about = text("bio").map_or_else(|| facts.clone(), |bio| format!("{facts}. {bio}"));
            (Some(excerpt(&about)), "profile_image")
        };
        Ok(Some(Head {
            title: text("name").unwrap_or_default().to_owned(),
            description: description
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| page.description.clone()),
            picture: text(picture).map(str::to_owned),
            canonical: Some(page.path.replace(":id", id)),
            kind: "profile",
        }))
    }

    /// A part of the ids in creation order, so that new profiles are appended, and the number of all.
    pub async fn listed(&self, table: &str, first: usize, rows: usize) -> anyhow::Result<(Vec<String>, u64)> {
        let approved = if table == "influencers" { "&approved=is.true" } else { "" };
        let query = format!("{table}?select=id&order=created_at,id&offset={first}&limit={rows}{approved}");
        let (rows, range) = self.ask(&query, Some("count=exact")).await?;
        let total = range.and_then(|range| range.rsplit('/').next()?.parse().ok()).unwrap_or(0);
        let ids = rows.iter().filter_map(|row| Some(row["id"].as_str()?.to_owned())).collect();
        Ok((ids, total))
    }

    async fn ask(&self, query: &str, prefer: Option<&str>) -> anyhow::Result<(Vec<Value>, Option<String>)> {
        let headers = prefer.map(|prefer| ("prefer", prefer));
        let path = format!("/{query}");
        let answer = self.get(&path, headers, LONGEST_ANSWER);
        let answer = tokio::time::timeout(TIMEOUT, answer).await??;
        if answer.status == StatusCode::RANGE_NOT_SATISFIABLE {
            return Ok((Vec::new(), None));
        }
        anyhow::ensure!(answer.status.is_success(), "the gateway answered {}", answer.status);
        Ok((serde_json::from_slice(&answer.body)?, answer.range))
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
