//! Fills an empty database with the demo people, and stores their pictures through the storage service.

use anyhow::{Context, ensure};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use sqlx::{Executor, PgConnection};
use tower::ServiceExt;

use crate::keys::Keys;
use crate::progress::Progress;

/// The account by which a database with demo data is known.
const KNOWN_BY: &str = "superadmin@demo.serasi.test";

/// Seeds if wanted and nobody has an account yet. Returns whether the demo accounts are there.
///
/// # Errors
/// When a picture or the rows are refused; the database stays empty then.
pub async fn offer(
    connection: &mut PgConnection,
    app: &Router,
    keys: &Keys,
    wanted: bool,
    progress: &Progress,
) -> anyhow::Result<bool> {
    if wanted && db::is_empty(connection).await? {
        seed(connection, app, keys, progress).await?;
    }
    Ok(sqlx::query_scalar("select exists (select from auth.users where email = $1)")
        .bind(KNOWN_BY)
        .fetch_one(connection)
        .await?)
}

/// Pictures first: rows never point to a picture that is not there, and a broken start begins anew.
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
    let said = axum::body::to_bytes(response.into_body(), 64 * 1024).await.unwrap_or_default();
    ensure!(
        status.is_success(),
        "the storage service refuses it ({status}): {}",
        String::from_utf8_lossy(&said)
    );
    Ok(())
}
