//! The requests in the log of a standalone gateway: a line in the format of Apache's access log, and the SQL. The log
//! level selects the statuses that are logged.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::HttpBody;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use platform::clock::Clock;

use crate::config::server::{LogLevel, STATUS_LOG};
use crate::execute::Job;
use crate::log::on_one_line;
use crate::state::AppState;

/// Writes a line of the access log. It must not block.
pub type LineWriter = Arc<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct Entry {
    role: Option<Arc<str>>,
    statements: Vec<String>,
}

tokio::task_local! {
    /// The request that this task handles.
    static ENTRY: RefCell<Entry>;
}

/// Records the role of the current request.
pub fn role(role: &Arc<str>) {
    let _ = ENTRY.try_with(|entry| entry.borrow_mut().role = Some(Arc::clone(role)));
}

/// Records the SQL of the current request, without parameters.
pub fn statements(job: &Job) {
    let _ = ENTRY.try_with(|entry| {
        let estimate = job.estimate.as_ref().map(|estimate| &*estimate.text);
        let texts = [
            Some(&*job.transaction.settings.text),
            job.transaction.pre_request.as_deref(),
            Some(&*job.statement.text),
            estimate,
        ];
        entry.borrow_mut().statements =
            texts.into_iter().flatten().filter(|text| !text.is_empty()).map(on_one_line).collect();
    });
}

#[derive(Clone)]
struct AccessLog {
    state: Arc<AppState>,
    write: LineWriter,
}

pub fn logged(router: Router, state: Arc<AppState>, write: LineWriter) -> Router {
    router.layer(from_fn_with_state(AccessLog { state, write }, log))
}

async fn log(State(log): State<AccessLog>, request: Request, next: Next) -> Response {
    let level = log.state.current.borrow().config.server.log_level;
    if level == LogLevel::Crit {
        return next.run(request).await;
    }
    let client = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip().to_string());
    let line = format!("{} {} {:?}", request.method(), request.uri(), request.version());
    let (referer, agent) =
        (text(request.headers(), header::REFERER), text(request.headers(), header::USER_AGENT));
    let (response, entry) = ENTRY
        .scope(RefCell::default(), async {
            let response = next.run(request).await;
            (response, ENTRY.with(RefCell::take))
        })
        .await;
    if let Some(warning) = response.headers().get(header::WARNING) {
        warn(warning, &line);
    }
    let status = response.status().as_u16();
    // Answers to CORS preflight requests are not logged.
    if level.includes(status) && !response.headers().contains_key(header::ACCESS_CONTROL_MAX_AGE) {
        for statement in entry.statements {
            tracing::info!(target: STATUS_LOG, "{statement}");
        }
        let (client, role) = (client.as_deref().unwrap_or("-"), entry.role.as_deref().unwrap_or("-"));
        let time = Clock::system().now();
        let time = time.format("%d/%b/%Y:%T %z");
        let length =
            response.body().size_hint().exact().map_or_else(|| "-".to_owned(), |length| length.to_string());
        (log.write)(&format!(
            "{client} - {role} [{time}] \"{line}\" {status} {length} \"{referer}\" \"{agent}\"\n"
        ));
    }
    response
}

/// Logs deprecated names in requests, from the `Warning` header.
fn warn(warning: &HeaderValue, line: &str) {
    let text = String::from_utf8_lossy(warning.as_bytes());
    let Some((_, message)) = text.split_once('"') else { return };
    let Some((message, changes)) = message.split_once(" Update ") else { return };
    let changes = changes.split_once(" in query string").map_or(changes, |(changes, _)| changes);
    let request = line.rsplit_once(' ').map_or(line, |(request, _)| request);
    tracing::warn!(target: STATUS_LOG, "WARNING: {message}");
    tracing::warn!(target: STATUS_LOG, "Update filters, orders or limits that use {changes} in `{request}`");
}

/// Quotes are escaped, so that a client can't forge a field.
fn text(headers: &HeaderMap, name: HeaderName) -> String {
    let value = headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    value.unwrap_or_default().replace('\\', "\\\\").replace('"', "\\\"")
}
