//! `robots.txt` and the sitemap: an index, a file for the fixed pages, and a file per thousand profiles.

use std::fmt::Write;

use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::pages::PAGES;

/// The gateway's row limit.
const ROWS: usize = 1000;
/// Each table with the path of its profile pages.
const LISTS: [(&str, &str); 2] = [("influencers", "/profile/"), ("agencies", "/agency/")];

pub async fn robots(State(site): State<Shared>) -> Response {
    let mut text = "User-agent: *\nAllow: /\n".to_owned();
    for page in PAGES.iter().filter(|page| page.private && !page.is_pattern()) {
        let _ = writeln!(text, "Disallow: {}", page.path);
    }
    let _ = writeln!(text, "Sitemap: {}/sitemap.xml", site.url);
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8"), HOURLY], text).into_response()
}

pub async fn index(State(site): State<Shared>, request: Request) -> Response {
    let data = site.data.requested_by(&request);
    let mut names = vec!["pages".to_owned()];
    for (table, _) in LISTS {
        let Ok((_, total)) = data.listed(table, 0, 1).await else { return unavailable() };
        let files = usize::try_from(total).unwrap_or(usize::MAX).div_ceil(ROWS);
        names.extend((1..=files).map(|number| format!("{table}-{number}")));
    }
    let entries =
        names.iter().map(|name| format!("<sitemap><loc>{}/sitemap/{name}.xml</loc></sitemap>", site.url));
    xml("sitemapindex", entries)
}

pub async fn file(State(site): State<Shared>, Path(name): Path<String>, request: Request) -> Response {
    let Some(name) = name.strip_suffix(".xml") else { return StatusCode::NOT_FOUND.into_response() };
    let url = |path: &str| format!("<url><loc>{}{path}</loc></url>", site.url);
    if name == "pages" {
        let shown = PAGES.iter().filter(|page| !page.private && !page.is_pattern());
        return xml("urlset", shown.map(|page| url(&page.path)));
    }
    let wanted = LISTS.iter().find_map(|(table, path)| {
        let number: usize = name.strip_prefix(table)?.strip_prefix('-')?.parse().ok()?;
        Some((*table, *path, number.checked_sub(1)?.checked_mul(ROWS)?))
    });
    let Some((table, path, first)) = wanted else { return StatusCode::NOT_FOUND.into_response() };
    match site.data.requested_by(&request).listed(table, first, ROWS).await {
        Ok((ids, _)) if ids.is_empty() => StatusCode::NOT_FOUND.into_response(),
        Ok((ids, _)) => xml("urlset", ids.iter().map(|id| url(&format!("{path}{id}")))),
        Err(_) => unavailable(),
    }
}

const HOURLY: (header::HeaderName, &str) = (header::CACHE_CONTROL, "public, max-age=3600");

fn xml(root: &str, entries: impl Iterator<Item = String>) -> Response {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    for entry in entries {
        let _ = writeln!(text, "{entry}");
    }
    let _ = writeln!(text, "</{root}>");
    ([(header::CONTENT_TYPE, "application/xml; charset=utf-8"), HOURLY], text).into_response()
}

fn unavailable() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "60")]).into_response()
}
