//! An HTTP listener whose handler can be replaced while it serves.

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use platform::http::server::{Handler, Limits, serve};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Passes each request to the app that is current when it arrives.
#[derive(Clone)]
struct Current(watch::Receiver<Router>);

impl Handler for Current {
    async fn handle(&self, request: Request) -> Response {
        let app = self.0.borrow().clone();
        app.handle(request).await
    }
}

pub struct Front {
    listener: Option<(TcpListener, Limits)>,
    app: watch::Sender<Router>,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<std::io::Result<()>>>,
}

impl Front {
    /// Connections wait in the kernel's backlog until an app is set.
    pub fn new(listener: TcpListener, limits: Limits) -> Self {
        let (app, stop) = (watch::Sender::new(Router::default()), watch::Sender::new(false));
        Self { listener: Some((listener, limits)), app, stop, serving: None }
    }

    /// Serves this app from now on.
    pub fn answer_with(&mut self, app: Router) {
        let _ = self.app.send_replace(app);
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
