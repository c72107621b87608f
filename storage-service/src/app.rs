//! The router, and what it needs to run. The launcher, `main` and the tests all start here.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderName;
use platform::env::ConfigError;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer, ExposeHeaders};
use url::Url;

use crate::backend::disk::Disk;
use crate::config::Config;
use crate::removals::Removals;
use crate::routes;
use crate::staging::Staging;
use crate::state::{AppState, Shared};

const MAX_CONNECTIONS: u32 = 10;
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// No statement of ours needs longer; row policies that do would hold everybody up.
const STATEMENT_TIMEOUT: &str = "8s";
const PICTURES_CLEANED_AT_A_TIME: usize = 4;

/// The routes, and the work that no request waits for. Dropping it ends that work, wherever it is.
pub struct Storage {
    router: Router,
    _background: JoinSet<()>,
}

impl Storage {
    pub fn router(&self) -> Router {
        self.router.clone()
    }
}

/// # Errors
/// As [`app`]. An unreachable database is no error: it is tried again.
pub async fn start(config: Config) -> Result<Storage, ConfigError> {
    let interval = config.removal_interval;
    let (state, router) = open(config).await?;
    let removals = Removals { pool: state.pool.clone(), backend: Arc::clone(&state.backend), interval };
    Ok(Storage { router, _background: [removals.run()].into_iter().collect() })
}

/// Routes without the `/storage/v1` prefix. The database is first asked by the first request.
///
/// # Errors
/// When the storage directory can't be made or read.
pub async fn app(config: Config) -> Result<Router, ConfigError> {
    Ok(open(config).await?.1)
}

async fn open(config: Config) -> Result<(AppState, Router), ConfigError> {
    let database = config.database.options([("statement_timeout", STATEMENT_TIMEOUT)]);
    let pool = PgPoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(ACQUIRE_TIMEOUT);
    let (disk, staging) = open_dir(config.dir).await?;
    let state = AppState::new(Shared {
        pool: pool.connect_lazy_with(database),
        keys: config.keys,
        clock: config.clock,
        backend: Arc::new(disk),
        staging,
        max_object_bytes: config.max_object_bytes,
        image_buckets: config.image_buckets,
        cleaning: Semaphore::new(PICTURES_CLEANED_AT_A_TIME),
    });
    // Uploads count their own bytes, JSON bodies theirs.
    let router = routes::router(state.clone()).layer(DefaultBodyLimit::disable());
    Ok((state, router.layer(cors(config.site_url.as_ref()))))
}

async fn open_dir(dir: PathBuf) -> Result<(Disk, Staging), ConfigError> {
    let place = dir.display().to_string();
    let opening =
        tokio::task::spawn_blocking(move || Ok::<_, io::Error>((Disk::open(&dir)?, Staging::open(&dir)?)));
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
