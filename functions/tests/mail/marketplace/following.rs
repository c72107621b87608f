//! The links in e-mails: each leads to a page of the site, and its reader gets the page's data.

use serde_json::{Value, json};
use test_support::client::TestClient;
use url::Url;

use super::called;

/// Undoes the templates' escaping.
pub fn unescaped(html: &str) -> String {
    html.replace("&#38;", "&").replace("&#39;", "'").replace("&#34;", "\"")
}

/// The link of the only button, and its token. `path` has `{token}` in place of it.
pub fn button(html: &str, path: &str) -> (String, String) {
    let marked: Vec<&str> = html.split("<a class=\"button\" href=\"").skip(1).collect();
    assert_eq!(marked.len(), 1, "{html}");
    let link = marked[0].split('"').next().unwrap();
    let (before, after) = path.split_once("{token}").unwrap_or((path, ""));
    let token = link.strip_prefix(&format!("https://serasi.test{before}"));
    let token = token.and_then(|rest| rest.strip_suffix(after));
    let token = token.unwrap_or_else(|| panic!("{link} is not {path}"));
    assert_eq!(token.is_empty(), !path.contains("{token}"), "{link} is not {path}");
    assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{link}");
    (link.to_owned(), token.to_owned())
}

/// Requests the data of the link's page.
pub async fn follow(link: &str, reader: &TestClient) {
    let url = Url::parse(link).unwrap();
    let path: Vec<&str> = url.path_segments().unwrap().collect();
    assert!(is_page(&path), "{link} is no page");
    let rows = match path[..] {
        ["enquiry", token] => {
            called(reader, "/rpc/guest_enquiry", &json!({ "token": token })).await["enquiries"].clone()
        }
        ["enquiries", id] => read(reader, &format!("/enquiries?id=eq.{id}")).await,
        ["gigs", id, "applicants"] => read(reader, &format!("/gig_applications?gig_id=eq.{id}")).await,
        ["applications"] => read(reader, "/gig_applications").await,
        ["agency", id] => read(reader, &format!("/agencies?id=eq.{id}")).await,
        ["gigs" | "agency-dashboard"] => read(reader, "/gigs").await,
        _ => panic!("nobody reads what {link} shows"),
    };
    assert!(!rows.as_array().unwrap().is_empty(), "{link} shows nothing");
}

async fn read(reader: &TestClient, path: &str) -> Value {
    let answer = reader.get(path).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text());
    answer.json()
}

/// Whether the site has a page for this path.
fn is_page(path: &[&str]) -> bool {
    let pages: Value = serde_json::from_str(include_str!("../../../../frontend/src/lib/pages.json")).unwrap();
    pages.as_object().unwrap().values().any(|page| {
        let route: Vec<&str> = page["path"].as_str().unwrap().split('/').skip(1).collect();
        route.len() == path.len()
            && route.iter().zip(path).all(|(wanted, given)| wanted.starts_with(':') || wanted == given)
    })
}
