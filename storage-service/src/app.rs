//! Builds the router and the background tasks. The launcher, `main` and the tests all start here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use platform::admin;
use platform::admin::readiness::{Missing, Readiness};
use platform::database::Database;
use platform::env::ConfigError;
use platform::http::panics;
use platform::measure::measured;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer, ExposeHeaders};

use crate::backend_setup;
use crate::check::Checker;
use crate::config::Config;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::memory::Memory;
use crate::removals::Removals;
use crate::render::Renderer;
use crate::render::variants::Variants;
use crate::routes;
use crate::state::{AppState, Shared};
use crate::store::public_objects::PublicObjects;
use crate::stores::{self, Stores};
use crate::sweeper::Sweeper;

const MAX_CONNECTIONS: u32 = 10;
const MAX_CONCURRENT_CLEANING: usize = 4;
/// Uploaded images beyond these are not rendered before they are requested.
const MAX_WAITING_UPLOADS: usize = 1000;
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);
/// Longer than any response that still counts as healthy.
const READY_TIMEOUT: Duration = Duration::from_secs(5);

/// The router and the background tasks. Dropping it aborts the tasks.
pub struct Storage {
    router: Router,
    state: AppState,
    /// The last check could not store a blob, which has been logged.
    is_failing: AtomicBool,
    _background: JoinSet<()>,
}

impl Storage {
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Whether the database answers and blobs can be stored and read.
    ///
    /// # Errors
    /// The error names what is unavailable.
    pub async fn ready(&self) -> Result<(), Missing> {
        match tokio::time::timeout(READY_TIMEOUT, self.state.pool.ready()).await {
            Ok(Ok(())) => (),
            _ => return Err("the database does not answer"),
        }
        match tokio::time::timeout(READY_TIMEOUT, blobs_ready(&self.state)).await {
            Ok(Ok(())) => {
                self.is_failing.store(false, Ordering::Relaxed);
                Ok(())
            }
            Ok(Err(error)) => {
                if !self.is_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(error = &error as &dyn std::error::Error, "blobs can't be stored");
                }
                Err("blobs can't be stored")
            }
            Err(_) => Err("the blob store does not answer"),
        }
    }

    /// Returns once the database accepts connections.
    ///
    /// # Errors
    /// Fails when retrying can't help; the error names the setting.
    pub async fn wait_for_database(&self) -> Result<(), ConfigError> {
        self.state.pool.database().wait().await
    }

    /// The endpoints for operators. Must be called inside a runtime.
    pub fn admin_router(self: &Arc<Self>) -> Router {
        let storage = Arc::clone(self);
        let readiness = Readiness::new(move || {
            let storage = Arc::clone(&storage);
            async move { storage.ready().await }
        });
        let storage = Arc::clone(self);
        admin::router(readiness, move || storage.observe())
    }

    /// Sets the gauges of this service.
    pub fn observe(&self) {
        self.state.pool.observe("storage");
        // Alerts need a value before the first event.
        counter!("storage_renders_total").increment(0);
        gauge!("storage_renders_waiting").increment(0);
        for result in ["hit", "miss"] {
            counter!("storage_render_cache_total", "result" => result).increment(0);
        }
    }
}

async fn blobs_ready(state: &AppState) -> Result<()> {
    backend_setup::ensure(&state.pool, &*state.backend).await?;
    Ok(state.backend.ready().await?)
}

/// # Errors
/// See [`app`]. An unreachable database is not an error: connections are retried.
pub async fn start(config: Config) -> Result<Storage, ConfigError> {
    let interval = config.removal_interval;
    let (sweep_interval, minimum_age) = (config.sweep_interval, config.orphan_age);
    describe_counter!("storage_renders_total", "Images that were resized");
    describe_gauge!("storage_renders_waiting", "Requests that wait for an image to be resized");
    describe_counter!("storage_render_cache_total", "Resized images that were in the cache, or not");
    let (state, router, uploaded) = open(config).await?;
    let (pool, backend) = (state.pool.clone(), Arc::clone(&state.backend));
    let checker =
        Checker { pool: pool.clone(), backend: Arc::clone(&backend), variants: state.variants.clone() };
    let mut background = JoinSet::new();
    if let Some(interval) = sweep_interval {
        background.spawn(Sweeper { checker, interval, minimum_age }.run());
    }
    let removals = Removals { pool, backend, variants: state.variants.clone(), interval };
    background.spawn(removals.run());
    let rendering = state.clone();
    background.spawn(async move { rendering.renderer.render_uploads(uploaded).await });
    background.spawn(prepare(state.clone()));
    background.spawn(sweep(state.variants.clone()));
    Ok(Storage { router, state, is_failing: AtomicBool::new(false), _background: background })
}

/// Creates the blob store at the first start. At later starts, warns immediately if it is missing.
async fn prepare(state: AppState) {
    if let Err(error) = backend_setup::ensure(&state.pool, &*state.backend).await {
        tracing::warn!(error = &error as &dyn std::error::Error, "can't store blobs yet");
    }
}

async fn sweep(variants: Variants) {
    let mut hours = tokio::time::interval(SWEEP_INTERVAL);
    loop {
        hours.tick().await;
        let variants = variants.clone();
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || variants.sweep()).await {
            tracing::warn!(%error, "can't sweep resized images");
        }
    }
}

/// Routes without the `/storage/v1` prefix. Does not connect to the database: the first request does.
///
/// # Errors
/// Fails when the storage directory can't be created or read.
pub async fn app(config: Config) -> Result<Router, ConfigError> {
    Ok(open(config).await?.1)
}

async fn open(config: Config) -> Result<(AppState, Router, mpsc::Receiver<(Version, u64)>), ConfigError> {
    let database = Database::new(config.database, config.database_limits);
    let Stores { blobs, staging, variants } =
        stores::open(config.dir, config.s3, config.variants_bytes, config.staging).await?;
    let (uploads, uploaded) = mpsc::channel(MAX_WAITING_UPLOADS);
    let (pool, memory) = (database.pool(MAX_CONNECTIONS), Memory::new(config.memory_bytes));
    let state = Arc::new(Shared {
        public_objects: PublicObjects::new(pool.clone()),
        pool,
        keys: config.keys,
        clock: config.clock,
        renderer: Renderer::new(Arc::clone(&blobs), variants.clone(), memory.clone(), config.render_bytes),
        uploads,
        backend: blobs,
        staging,
        variants,
        memory,
        quota: config.quota,
        max_object_bytes: config.max_object_bytes,
        image_buckets: config.image_buckets,
        trusted_proxies: config.trusted_proxies,
        cleaning: Semaphore::new(MAX_CONCURRENT_CLEANING),
    });
    let router = with_layers(routes::router(state.clone()), cors(config.allowed_origins));
    let router = measured("storage", "/storage/v1", router);
    Ok((state, router, uploaded))
}

/// Adds the layers shared by all routes.
fn with_layers(routes: Router, cors: CorsLayer) -> Router {
    panics::recovering(routes, || ApiError::Internal("a handler panicked".into())).layer(cors)
}

/// Browsers only let pages of allowed origins read responses.
fn cors(allowed_origins: Vec<HeaderValue>) -> CorsLayer {
    let exposed =
        ["content-range", "etag", "content-disposition", "retry-after"].map(HeaderName::from_static);
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(allowed_origins))
        .allow_methods(AllowMethods::mirror_request())
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(ExposeHeaders::list(exposed))
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::routing::get;
    use serde_json::json;
    use test_support::client::TestClient;

    use super::*;

    #[tokio::test]
    async fn a_panic_gets_a_response_without_details() {
        async fn broken() -> StatusCode {
            panic!("a secret")
        }
        let client =
            TestClient::new(with_layers(Router::new().route("/broken", get(broken)), CorsLayer::new()));

        let answer = client.get("/broken").await;

        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
        let expected = json!({
            "statusCode": "500", "error": "Internal", "message": "Internal Server Error", "code": "InternalError",
        });
        assert_eq!(answer.json(), expected);
    }
}
