//! A port and what answers there, which may change while it serves.

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
    /// Connections wait in the system's queue until there is somebody to answer.
    pub fn new(listener: TcpListener, limits: Limits) -> Self {
        let (app, stop) = (watch::Sender::new(Router::new()), watch::Sender::new(false));
        Self { listener: Some((listener, limits)), app, stop, serving: None }
    }

    /// From now on this answers.
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

    /// Completes when serving ended, by itself or by [`Front::stop`].
    ///
    /// # Errors
    /// When it could not serve.
    pub async fn ended(&mut self) -> anyhow::Result<()> {
        match &mut self.serving {
            Some(serving) => Ok(serving.await??),
            None => Ok(()),
        }
    }

    /// Accepts nothing more and lets requests in flight finish.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }
}
