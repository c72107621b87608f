//! Answers from memory if possible, otherwise with the router.

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use platform::http::server::Handler;

use crate::memory::Memory;

/// The service as a server's handler.
#[derive(Clone)]
pub struct App {
    router: Router,
    memory: Memory,
}

impl App {
    /// `router` contains the routes of the service that fills this memory.
    pub fn new(router: Router, memory: Memory) -> Self {
        Self { router, memory }
    }
}

impl Handler for App {
    fn shortcut<B>(&self, request: &axum::http::Request<B>) -> Option<Response> {
        self.memory.answer(request)
    }

    async fn handle(&self, request: Request) -> Response {
        let mut response = self.router.handle(request).await;
        self.memory.keep(&mut response);
        response
    }
}
