//! An HTTP listener whose router can be replaced while it serves.

use axum::Router;
use axum::extract::Request;
use platform::http::server::{Limits, serve};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tower::ServiceExt;

pub struct Front {
    listener: Option<(TcpListener, Limits)>,
    app: watch::Sender<Router>,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<std::io::Result<()>>>,
}

impl Front {
    /// Connections wait in the kernel's backlog until a router is set.
    pub fn new(listener: TcpListener, limits: Limits) -> Self {
        let (app, stop) = (watch::Sender::new(Router::new()), watch::Sender::new(false));
        Self { listener: Some((listener, limits)), app, stop, serving: None }
    }

    /// Serves this router from now on.
    pub fn answer_with(&mut self, app: Router) {
        let _ = self.app.send_replace(app);
        let Some((listener, limits)) = self.listener.take() else { return };
        let current = self.app.subscribe();
        let app = Router::new().fallback(move |request: Request| {
            let app = current.borrow().clone();
            async move {
                let Ok(response) = app.oneshot(request).await;
                response
            }
        });
        let mut stop = self.stop.subscribe();
        self.serving = Some(tokio::spawn(serve(listener, app, limits, async move {
            let _ = stop.wait_for(|stop| *stop).await;
        })));
    }

    /// Completes when serving ends, by itself or through [`Front::stop`].
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
