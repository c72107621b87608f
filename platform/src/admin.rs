//! A service's endpoints for operators: `/live`, `/ready` and `/metrics` on a separate port.

pub mod readiness;

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use parking_lot::Mutex;
use tokio::net::TcpListener;

use crate::env::Env;
use crate::http::listening::{self, Purpose};
use crate::http::server::{Limits, serve};
use crate::telemetry;
use readiness::Readiness;

const SETTING: &str = "ADMIN_PORT";
static PROBLEMS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// A problem that doesn't stop the process from doing its work, or `None` once it is solved. `/ready` lists them.
pub fn report_problem(subject: &str, problem: Option<String>) {
    let mut problems = PROBLEMS.lock();
    match problem {
        Some(problem) => problems.insert(subject.to_owned(), problem),
        None => problems.remove(subject),
    };
}

fn ok_with_problems() -> String {
    let problems = PROBLEMS.lock();
    problems.iter().fold("ok".to_owned(), |text, (subject, problem)| format!("{text}\n{subject}: {problem}"))
}

/// Keeps the readiness check running as long as the router exists. `observe` sets gauges before `/metrics` answers.
pub fn router(readiness: Readiness, observe: impl Fn() + Clone + Send + Sync + 'static) -> Router {
    let ready = async move || match readiness.get().await {
        Ok(()) => (StatusCode::OK, ok_with_problems()),
        Err(missing) => (StatusCode::SERVICE_UNAVAILABLE, missing.to_owned()),
    };
    telemetry::metrics(observe).route("/live", get(async || "ok")).route("/ready", get(ready))
}

/// The admin port, which is closed unless `ADMIN_PORT` is set.
pub struct AdminPort(Option<TcpListener>);

impl AdminPort {
    /// Takes the socket named `admin` in `LISTEN_FDNAMES`, or opens the port.
    ///
    /// # Errors
    /// When the port is malformed or can't be opened.
    pub async fn open(env: &Env, host: IpAddr) -> io::Result<Self> {
        let port = env.parse_or(SETTING, 0_u16).map_err(io::Error::other)?;
        if port == 0 {
            return Ok(Self(None));
        }
        let opened = listening::open(env, Purpose::Admin, host, port).await;
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("{SETTING}: {host}:{port} can't be opened: {error}"))
        };
        opened.map(|listener| Self(Some(listener))).map_err(named)
    }

    /// Serves until `stop` completes, or returns immediately if the port is closed. `app` is called only if
    /// the port is open, so that no readiness check runs without need. The port has a separate connection
    /// limit.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(
        self,
        app: impl FnOnce() -> Router,
        limits: &Limits,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        match self.0 {
            Some(listener) => serve(listener, app(), limits.for_operators(), stop).await,
            None => Ok(()),
        }
    }
}
