//! Embeds the rows of a page's first view in its HTML. This saves the application a round trip after its
//! script has loaded.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, ensure};
use futures::future::try_join_all;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::built::Pages;
use super::public_data::PublicData;

/// Written by the frontend's `scripts/shells.mjs`: the requests of each page's own queries, by page path.
const LIST: &str = ".vite/first-requests.json";

/// Don't delay the page for data that the application can request itself.
const TIMEOUT: Duration = Duration::from_millis(300);
/// Size limit of one response. More would delay the page's first picture on a slow connection.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Path of the gateway for the frontend.
const GATEWAY: &str = "/rest/v1";
/// Placeholder for the id in request URLs, percent-encoded like in the page's queries.
const ID_PLACE: &str = "%3Aid";

#[derive(Deserialize)]
pub struct FirstRequest {
    url: String,
    headers: BTreeMap<String, String>,
}

/// By the path of their page.
pub type FirstRequests = BTreeMap<String, Vec<FirstRequest>>;

/// # Errors
/// When the build has no such list.
pub fn read(built: &Pages) -> anyhow::Result<FirstRequests> {
    serde_json::from_str(&built.text(LIST)?).context(LIST)
}

/// The format that `src/lib/first-answers.ts` reads.
#[derive(Serialize)]
pub struct FirstAnswer<'request> {
    url: String,
    headers: &'request BTreeMap<String, String>,
    status: u16,
    range: Option<String>,
    body: Box<RawValue>,
}

/// Fetches all responses, or none, because a page also works without them.
pub async fn fetch<'request>(
    data: &PublicData,
    requests: &'request [FirstRequest],
    id: Option<&str>,
) -> Vec<FirstAnswer<'request>> {
    let answers = try_join_all(requests.iter().map(|request| one(data, request, id)));
    let fetched = tokio::time::timeout(TIMEOUT, answers).await.context("the gateway takes too long");
    fetched.flatten().unwrap_or_else(|error| {
        data.warn(&error, "sending a page without its first rows");
        Vec::new()
    })
}

async fn one<'request>(
    data: &PublicData,
    request: &'request FirstRequest,
    id: Option<&str>,
) -> anyhow::Result<FirstAnswer<'request>> {
    let url = id.map_or_else(|| request.url.clone(), |id| request.url.replace(ID_PLACE, id));
    let path = url.strip_prefix(GATEWAY).with_context(|| format!("{url} is not below {GATEWAY}"))?;
    let headers = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let answer = data.get(path, headers, LONGEST_ANSWER).await?;
    ensure!(answer.status.is_success(), "the gateway answered {}", answer.status);
    let body = serde_json::from_slice(&answer.body)?;
    let (status, range) = (answer.status.as_u16(), answer.range);
    Ok(FirstAnswer { url, headers: &request.headers, status, range, body })
}

/// Writes an inert data block. User content can't end it.
pub fn block(answers: &[FirstAnswer<'_>]) -> String {
    if answers.is_empty() {
        return String::new();
    }
    let Ok(json) = serde_json::to_string(answers) else { return String::new() };
    // In JSON these characters only occur inside strings, where an escape is equivalent.
    let json = json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    format!("<script type=\"application/json\" id=\"first-answers\">{json}</script>\n  ")
}

impl FirstAnswer<'_> {
    /// The rows, for finding the pictures.
    pub fn rows(&self) -> Vec<BTreeMap<String, serde_json::Value>> {
        serde_json::from_str(self.body.get()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::Router;
    use axum::http::{HeaderMap, StatusCode, header};
    use axum::routing::get;

    use super::*;

    const ID: &str = "5e7a0002-0000-4000-8000-000000000001";
    const LIST: &str = r#"{
        "/search": [{"url": "/rest/v1/list?limit=2", "headers": {"prefer": "count=exact"}}],
        "/profile/:id": [{"url": "/rest/v1/list?id=eq.%3Aid", "headers": {}}],
        "/": [{"url": "/rest/v1/list", "headers": {}}, {"url": "/rest/v1/other", "headers": {}}]
    }"#;

    fn requests() -> FirstRequests {
        serde_json::from_str(LIST).unwrap()
    }

    async fn block_of(gateway: Router, page: &str, id: Option<&str>) -> String {
        let requests = requests();
        let requests = requests.get(page).map_or(&[][..], Vec::as_slice);
        block(&fetch(&PublicData::new(gateway), requests, id).await)
    }

    #[tokio::test]
    async fn the_block_contains_the_request_and_its_response() {
        let gateway = Router::new().route(
            "/list",
            get(|headers: HeaderMap| async move {
                assert_eq!(headers.get("prefer").unwrap(), "count=exact");
                assert_eq!(headers.len(), 1, "nothing of a caller's: {headers:?}");
                ([(header::CONTENT_RANGE, "0-0/7")], r#"[{"id": "1", "n": 12345678901234567890}]"#)
            }),
        );
        assert_eq!(
            block_of(gateway, "/search", None).await.trim_end(),
            "<script type=\"application/json\" id=\"first-answers\">[{\"url\":\"/rest/v1/list?limit=2\",\
             \"headers\":{\"prefer\":\"count=exact\"},\"status\":200,\"range\":\"0-0/7\",\
             \"body\":[{\"id\": \"1\", \"n\": 12345678901234567890}]}]</script>"
        );
    }

    #[tokio::test]
    async fn the_id_from_the_path_is_requested() {
        let echo = get(|query: axum::extract::RawQuery| async move { format!("[\"{}\"]", query.0.unwrap()) });
        let html = block_of(Router::new().route("/list", echo), "/profile/:id", Some(ID)).await;
        assert_eq!(html.matches(&format!("id=eq.{ID}")).count(), 2, "asked for and named: {html}");
    }

    #[tokio::test]
    async fn user_content_does_not_end_the_block() {
        let rows = "[{\"bio\": \"</script><script>alert(1)</script><!--\u{2028}\u{2029}\"}]";
        let html =
            block_of(Router::new().route("/list", get(move || async move { rows })), "/search", None).await;
        assert_eq!(html.matches("</script>").count(), 1, "{html}");
        assert_eq!(html.matches('<').count(), 2, "{html}");
        assert!(!html.contains(['\u{2028}', '\u{2029}']), "{html}");
        let json = html.split_once('>').unwrap().1.trim_end().trim_end_matches("</script>");
        let read: serde_json::Value = serde_json::from_str(json).unwrap();
        let written: serde_json::Value = serde_json::from_str(rows).unwrap();
        assert_eq!(read[0]["body"], written);
    }

    #[tokio::test]
    async fn without_a_timely_response_only_the_block_is_missing() {
        let failing = Router::new().route("/list", get(|| async { StatusCode::SERVICE_UNAVAILABLE }));
        assert_eq!(block_of(failing, "/search", None).await, "");
        let wordy = Router::new().route("/list", get(|| async { "not JSON" }));
        assert_eq!(block_of(wordy, "/search", None).await, "");
        let endless = Router::new().route("/list", get(|| async { format!("[{}1]", "1,".repeat(40_000)) }));
        assert_eq!(block_of(endless, "/search", None).await, "");
        // One of two responses is not enough for the first view.
        let half = Router::new().route("/list", get(|| async { "[]" }));
        assert_eq!(block_of(half, "/", None).await, "");
        let slow = get(|| async {
            tokio::time::sleep(Duration::from_secs(30)).await;
            "[]"
        });
        let began = Instant::now();
        assert_eq!(block_of(Router::new().route("/list", slow), "/search", None).await, "");
        assert!(began.elapsed() < Duration::from_secs(5));
    }

    #[tokio::test]
    async fn a_page_without_requests_has_no_block() {
        assert_eq!(block_of(Router::new(), "/pricing", None).await, "");
    }
}
