//! Fills an empty database with demo data, and uploads the pictures through the storage service.

use anyhow::{Context, ensure};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use sqlx::{Executor, PgConnection};
use tower::ServiceExt;

use crate::database::temporary_login::imported_triggers;
use crate::keys::Keys;
use crate::progress::Progress;

/// This account marks a database with demo data.
const MARKER_ACCOUNT: &str = "superadmin@demo.serasi.test";

/// Seeds the database if requested and if it has no accounts yet. Returns whether the demo accounts exist.
///
/// # Errors
/// When a picture or a row is rejected. The database then stays empty.
pub async fn offer(
    connection: &mut PgConnection,
    app: &Router,
    keys: &Keys,
    wanted: bool,
    progress: &Progress,
) -> anyhow::Result<bool> {
    if wanted && db::is_empty(connection).await? && imported_triggers(connection).await?.is_empty() {
        seed(connection, app, keys, progress).await?;
    }
    Ok(sqlx::query_scalar("select exists (select from auth.users where email = $1)")
        .bind(MARKER_ACCOUNT)
        .fetch_one(connection)
        .await?)
}

/// Uploads the pictures first, so that no row points to a missing picture. An interrupted start seeds
/// again.
async fn seed(
    connection: &mut PgConnection,
    app: &Router,
    keys: &Keys,
    progress: &Progress,
) -> anyhow::Result<()> {
    let pictures: Vec<_> = db::demo_images().collect();
    let bar = progress.bar("Storing demo pictures", pictures.len() as u64);
    for (name, bytes) in pictures {
        store(app, keys, name, bytes).await.with_context(|| format!("the demo picture {name}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let step = progress.step("Seeding demo data");
    connection.execute(db::DEMO_SEED).await.context("the demo data")?;
    step.done();
    Ok(())
}

async fn store(app: &Router, keys: &Keys, name: &str, bytes: &'static [u8]) -> anyhow::Result<()> {
    let request = Request::post(format!("/storage/v1/object/images/{name}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", keys.service_role))
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
