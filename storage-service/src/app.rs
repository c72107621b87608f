//! The router, and what it needs to run. The launcher, `main` and the tests all start here.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, StatusCode};
use axum::routing::get;
use platform::database::Database;
use platform::env::ConfigError;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer, ExposeHeaders};
use url::Url;

use crate::backend::Backend;
use crate::backend::disk::Disk;
use crate::backend::s3::S3;
use crate::check::Checker;
use crate::config::{Config, S3Config};
use crate::error::Result;
use crate::place;
use crate::removals::Removals;
use crate::render::Renderer;
use crate::render::variants::Variants;
use crate::routes;
use crate::staging::Staging;
use crate::state::{AppState, Shared};
use crate::sweeper::Sweeper;

const MAX_CONNECTIONS: u32 = 10;
const PICTURES_CLEANED_AT_A_TIME: usize = 4;
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);
/// Longer than any answer that still means health.
const READY_TIMEOUT: Duration = Duration::from_secs(5);

/// The routes, and the work that no request waits for. Dropping it ends that work, wherever it is.
pub struct Storage {
    router: Router,
    state: AppState,
    _background: JoinSet<()>,
}

impl Storage {
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Whether the database answers and blobs can be kept and read, for operators.
    ///
    /// # Errors
    /// With what is missing.
    pub async fn ready(&self) -> Result<(), &'static str> {
        match tokio::time::timeout(READY_TIMEOUT, self.state.pool.ready()).await {
            Ok(Ok(())) => (),
            _ => return Err("the database does not answer"),
        }
        match tokio::time::timeout(READY_TIMEOUT, blobs_ready(&self.state)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "blobs can't be kept");
                Err("blobs can't be kept")
            }
            Err(_) => Err("the place of the blobs does not answer"),
        }
    }

    /// Returns when the database takes connections.
    ///
    /// # Errors
    /// When waiting is of no use; the setting is named.
    pub async fn wait_for_database(&self) -> Result<(), ConfigError> {
        self.state.pool.database().wait().await
    }

    /// `/live` and `/ready`, for operators.
    pub fn admin_router(self: &Arc<Self>) -> Router {
        let storage = Arc::clone(self);
        Router::new().route("/live", get(async || "ok")).route(
            "/ready",
            get(async move || match storage.ready().await {
                Ok(()) => (StatusCode::OK, "ok"),
                Err(missing) => (StatusCode::SERVICE_UNAVAILABLE, missing),
            }),
        )
    }
}

async fn blobs_ready(state: &AppState) -> Result<()> {
    place::ensure(&state.pool, &*state.backend).await?;
    Ok(state.backend.ready().await?)
}

/// # Errors
/// As [`app`]. An unreachable database is no error: it is tried again.
pub async fn start(config: Config) -> Result<Storage, ConfigError> {
    let interval = config.removal_interval;
    let (sweep_interval, minimum_age) = (config.sweep_interval, config.orphan_age);
    let (state, router) = open(config).await?;
    let (pool, backend) = (state.pool.clone(), Arc::clone(&state.backend));
    let checker =
        Checker { pool: pool.clone(), backend: Arc::clone(&backend), variants: state.variants.clone() };
    let mut background = JoinSet::new();
    if let Some(interval) = sweep_interval {
        background.spawn(Sweeper { checker, interval, minimum_age }.run());
    }
    let removals = Removals { pool, backend, variants: state.variants.clone(), interval };
    background.spawn(removals.run());
    background.spawn(prepare(state.clone()));
    background.spawn(sweep(state.variants.clone()));
    Ok(Storage { router, state, _background: background })
}

/// The first start makes the place of the blobs; a later one says at once when it is gone.
async fn prepare(state: AppState) {
    if let Err(error) = place::ensure(&state.pool, &*state.backend).await {
        tracing::warn!(error = &error as &dyn std::error::Error, "blobs can't be kept yet");
    }
}

async fn sweep(variants: Variants) {
    let mut hours = tokio::time::interval(SWEEP_INTERVAL);
    loop {
        hours.tick().await;
        let variants = variants.clone();
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || variants.sweep()).await {
            tracing::warn!(%error, "resized pictures could not be swept");
        }
    }
}

/// Routes without the `/storage/v1` prefix. The database is first asked by the first request.
///
/// # Errors
/// When the storage directory can't be made or read.
pub async fn app(config: Config) -> Result<Router, ConfigError> {
    Ok(open(config).await?.1)
}

async fn open(config: Config) -> Result<(AppState, Router), ConfigError> {
    let database = Database::new(config.database, config.database_limits);
    let Places { blobs, staging, variants } =
        open_places(config.dir, config.s3, config.variants_bytes).await?;
    let state = AppState::new(Shared {
        pool: database.pool(MAX_CONNECTIONS),
        keys: config.keys,
        clock: config.clock,
        renderer: Renderer::new(Arc::clone(&blobs), variants.clone(), config.render_bytes),
        backend: blobs,
        staging,
        variants,
        quota: config.quota,
        max_object_bytes: config.max_object_bytes,
        image_buckets: config.image_buckets,
        cleaning: Semaphore::new(PICTURES_CLEANED_AT_A_TIME),
    });
    // Uploads count their own bytes, JSON bodies theirs.
    let router = routes::router(state.clone()).layer(DefaultBodyLimit::disable());
    Ok((state, router.layer(cors(config.site_url.as_ref()))))
}

/// Where everything lies that is not in the database.
pub(crate) struct Places {
    pub blobs: Arc<dyn Backend>,
    pub staging: Staging,
    pub variants: Variants,
}

pub(crate) async fn open_places(
    dir: PathBuf,
    s3: Option<S3Config>,
    variants_bytes: u64,
) -> Result<Places, ConfigError> {
    let s3 = s3.map(|s3| S3::open(&s3)).transpose();
    let s3 = s3.map_err(|error| ConfigError::new("S3_ENDPOINT", format!("can't be used: {error}")))?;
    let place = dir.display().to_string();
    let opening = tokio::task::spawn_blocking(move || {
        let blobs: Arc<dyn Backend> = match s3 {
            Some(s3) => {
                // Holds nothing that must outlive us.
                std::fs::create_dir_all(&dir)?;
                Arc::new(s3)
            }
            None => Arc::new(Disk::open(&dir)?),
        };
        let variants = Variants::open(&dir, variants_bytes)?;
        Ok::<_, io::Error>(Places { blobs, staging: Staging::open(&dir)?, variants })
    });
    let opened = opening.await.map_err(io::Error::other).flatten();
    opened.map_err(|error| ConfigError::new("STORAGE_DIR", format!("`{place}` can't be used: {error}")))
}

/// Only the site itself may read answers from another origin; without one nobody may.
fn cors(site: Option<&Url>) -> CorsLayer {
    let origin = site.map(|site| site.origin().ascii_serialization()).and_then(|origin| origin.parse().ok());
    let exposed = ["content-range", "etag", "content-disposition"].map(HeaderName::from_static);
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origin))
        .allow_methods(AllowMethods::mirror_request())
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(ExposeHeaders::list(exposed))
}
