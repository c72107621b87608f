//! An HTTP listener whose handler can be replaced while it serves.

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use platform::http::server::{Handler, Limits, serve};
use rest_gateway::Gateway;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::availability::{Availability, State};

/// The services' routes, and a shortcut for the most frequent requests, to the gateway.
#[derive(Clone, Default)]
pub struct App {
    routes: Router,
    shortcut: Option<Shortcut>,
}

#[derive(Clone)]
struct Shortcut {
    gateway: Gateway,
    availability: Availability,
}

impl App {
    pub fn new(routes: Router, gateway: Gateway, availability: Availability) -> Self {
        Self { routes, shortcut: Some(Shortcut { gateway, availability }) }
    }

    /// `None` while the services are unavailable, because the shortcut skips the routes' check.
    fn gateway(&self) -> Option<&Gateway> {
        let shortcut = self.shortcut.as_ref()?;
        (shortcut.availability.get() == State::Available).then_some(&shortcut.gateway)
    }
}

impl From<Router> for App {
    fn from(routes: Router) -> Self {
        Self { routes, shortcut: None }
    }
}

impl Handler for App {
    async fn handle(&self, mut request: Request) -> Response {
        if let Some(gateway) = self.gateway()
            && let Some(uri) = below(request.uri(), "/rest/v1")
        {
            *request.uri_mut() = uri;
            // Boxed, because it is large and is moved until it is polled.
            return Box::pin(gateway.answer(request)).await;
        }
        self.routes.handle(request).await
    }
}

/// The rest of an address below a folder.
fn below(uri: &Uri, folder: &str) -> Option<Uri> {
    let rest = uri.path_and_query()?.as_str().strip_prefix(folder)?;
    if rest.starts_with('/') { rest.parse().ok() } else { None }
}

/// Passes each request to the app that is current when it arrives.
#[derive(Clone)]
struct Current(watch::Receiver<App>);

impl Handler for Current {
    async fn handle(&self, request: Request) -> Response {
        let app = self.0.borrow().clone();
        app.handle(request).await
    }
}

pub struct Front {
    listener: Option<(TcpListener, Limits)>,
    app: watch::Sender<App>,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<std::io::Result<()>>>,
}

impl Front {
    /// Connections wait in the kernel's backlog until an app is set.
    pub fn new(listener: TcpListener, limits: Limits) -> Self {
        let (app, stop) = (watch::Sender::new(App::default()), watch::Sender::new(false));
        Self { listener: Some((listener, limits)), app, stop, serving: None }
    }

    /// Serves this app from now on.
    pub fn answer_with(&mut self, app: impl Into<App>) {
        let _ = self.app.send_replace(app.into());
        let Some((listener, limits)) = self.listener.take() else { return };
        let app = Current(self.app.subscribe());
        let mut stop = self.stop.subscribe();
        self.serving = Some(tokio::spawn(serve(listener, app, limits, async move {
            let _ = stop.wait_for(|stop| *stop).await;
        })));
    }

    /// Completes when serving ends, through [`Front::stop`] or with an error.
    ///
    /// # Errors
    /// When the listener failed.
    pub async fn ended(&mut self) -> anyhow::Result<()> {
        match &mut self.serving {
            Some(serving) => Ok(serving.await??),
            None => Ok(()),
        }
    }

    /// Stops accepting connections and lets in-flight requests finish.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }
}
