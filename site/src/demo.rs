//! Fills an empty database with demo data, and uploads the pictures through the storage service.

use std::fmt::Write;

use anyhow::{Context, ensure};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use platform::progress::Progress;
use sqlx::{Executor, PgConnection};
use tower::ServiceExt;

/// The demo accounts with descriptions.
const ACCOUNTS: [(&str, &str); 6] = [
    ("superadmin", "all admin permissions, and creates admins"),
    ("admin", "approves and moderates, signs in at /admin/login"),
    ("influencer", "approved, gold badge, signs in at /auth"),
    ("pending", "influencer waiting for approval, signs in at /auth"),
    ("agency", "posts gigs, signs in at /agency-auth"),
    ("vendor", "offers services, signs in at /vendor-auth"),
];

/// The demo accounts and their password, for the output of `serasi up`. `None` in a database without them.
///
/// # Errors
/// When the query fails.
pub async fn accounts(connection: &mut PgConnection) -> sqlx::Result<Option<String>> {
    // This account marks a database with demo data.
    let marked = "select exists (select from auth.users where email = 'superadmin@demo.serasi.test')";
    let exist: bool = sqlx::query_scalar(marked).fetch_one(connection).await?;
    let mut text = "Demo accounts, password serasi-demo:\n".to_owned();
    for (name, what) in ACCOUNTS {
        let _ = writeln!(text, "  {:<30} {what}", format!("{name}@demo.serasi.test"));
    }
    Ok(exist.then_some(text))
}

/// Adds the demo data, as a superuser, to a database without accounts. `app` has the storage service, which accepts
/// `service_key`. Returns whether the database was empty.
///
/// Uploads the pictures first, so that no row points to a missing picture. An interrupted start begins again.
///
/// # Errors
/// When a picture or a row is rejected. The database then stays empty.
pub async fn add(
    connection: &mut PgConnection,
    app: &Router,
    service_key: &str,
    progress: &Progress,
) -> anyhow::Result<bool> {
    if !db::is_empty(connection).await? {
        return Ok(false);
    }
    let pictures: Vec<_> = db::demo_images().collect();
    let bar = progress.bar("Storing demo pictures", pictures.len() as u64);
    for (name, bytes) in pictures {
        store(app, service_key, name, bytes).await.with_context(|| format!("the demo picture {name}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let step = progress.step("Seeding demo data");
    connection.execute(db::DEMO_SEED).await.context("the demo data")?;
    step.done();
    Ok(true)
}

async fn store(app: &Router, service_key: &str, name: &str, bytes: &'static [u8]) -> anyhow::Result<()> {
    let request = Request::post(format!("/storage/v1/object/images/{name}"))
        .header(header::AUTHORIZATION, format!("Bearer {service_key}"))
        .header(header::CONTENT_TYPE, "image/webp")
        .header(header::CACHE_CONTROL, "max-age=31536000")
        .header("x-upsert", "true")
        .body(Body::from(bytes))?;
    let Ok(response) = app.clone().oneshot(request).await;
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 64 * 1024).await.unwrap_or_default();
    ensure!(
        status.is_success(),
        "the storage service rejected it ({status}): {}",
        String::from_utf8_lossy(&body)
    );
    Ok(())
}
