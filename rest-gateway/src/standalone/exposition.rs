//! `/metrics` as PostgREST writes it: scrapers may compare the text.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;

const TYPE: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

pub fn like_postgrest(metrics: Router) -> Router {
    metrics.layer(from_fn(rewrite))
}

async fn rewrite(request: Request, next: Next) -> Response {
    let (mut parts, body) = next.run(request).await.into_parts();
    let text = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<String> = text.lines().map(|line| format!("{}\n", with_fraction(line))).collect();
    parts.headers.insert(header::CONTENT_TYPE, TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(lines.concat()))
}

/// PostgREST's numbers have a fraction.
fn with_fraction(line: &str) -> String {
    let is_integer = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit());
    match line.rsplit_once(' ') {
        Some((name, value)) if name.starts_with("pgrst_") && is_integer(value) => format!("{line}.0"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::with_fraction;

    #[test]
    fn integers_get_a_fraction() {
        assert_eq!(with_fraction("pgrst_db_pool_max 10"), "pgrst_db_pool_max 10.0");
        for line in ["pgrst_time 0.5", "# TYPE pgrst_x counter", "http_requests_total 3"] {
            assert_eq!(with_fraction(line), line);
        }
    }
}
