//! An HTTP listener whose handler can be replaced while it serves.

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use platform::http::server::{Handler, Limits, serve};
use rest_gateway::Gateway;
use storage_service::Memory;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::availability::{Availability, State};

/// The services' routes, and shortcuts for the most frequent requests: to the gateway, and to images in memory.
#[derive(Clone, Default)]
pub struct App {
    routes: Router,
    shortcuts: Option<Shortcuts>,
}

#[derive(Clone)]
struct Shortcuts {
    gateway: Gateway,
    images: Memory,
    availability: Availability,
}

impl App {
    pub fn new(routes: Router, gateway: Gateway, images: Memory, availability: Availability) -> Self {
        Self { routes, shortcuts: Some(Shortcuts { gateway, images, availability }) }
    }

    /// `None` while the services are unavailable, because shortcuts skip the routes' check.
    fn shortcuts(&self) -> Option<&Shortcuts> {
        self.shortcuts.as_ref().filter(|shortcuts| shortcuts.availability.get() == State::Available)
    }
}

impl From<Router> for App {
    fn from(routes: Router) -> Self {
        Self { routes, shortcuts: None }
    }
}

impl Handler for App {
    fn shortcut<B>(&self, request: &axum::http::Request<B>) -> Option<Response> {
        if !is_of_storage(request.uri()) {
            return None;
        }
        self.shortcuts()?.images.answer(request)
    }

    async fn handle(&self, mut request: Request) -> Response {
        let Some(Shortcuts { gateway, images, .. }) = self.shortcuts() else {
            return self.routes.handle(request).await;
        };
        if let Some(uri) = below(request.uri(), "/rest/v1") {
            *request.uri_mut() = uri;
            // Boxed, because it is large and is moved until it is polled.
            return Box::pin(gateway.answer(request)).await;
        }
        if !is_of_storage(request.uri()) {
            return self.routes.handle(request).await;
        }
        let mut response = self.routes.handle(request).await;
        images.keep(&mut response);
        response
    }
}

fn is_of_storage(uri: &Uri) -> bool {
    uri.path().starts_with("/storage/v1/")
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
    fn shortcut<B>(&self, request: &axum::http::Request<B>) -> Option<Response> {
        self.0.borrow().shortcut(request)
    }

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
