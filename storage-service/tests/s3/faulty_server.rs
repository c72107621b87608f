//! An S3 server into which tests inject faults.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use futures::{FutureExt, StreamExt, stream};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::{Request, Response};
use s3s::service::S3Service;
use storage_service::config::S3Config;

use crate::s3_server;

/// What the server does with each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    #[default]
    None,
    /// Closes each connection before it reads a request's body.
    Down,
    /// Reads the request and never answers.
    Silent,
    /// Answers 503 with the error `SlowDown`.
    Busy,
    /// Reads a part of the request's body, then closes the connection.
    RequestCut,
    /// Sends half of the answer's body, then closes the connection.
    AnswerCut,
    /// Executes the request, then closes the connection.
    AnswerLost,
    /// Answers with another ETag than the object's.
    WrongETag,
}

#[derive(Clone, Default)]
pub struct Faults {
    now: Arc<Mutex<Fault>>,
    open: Arc<AtomicUsize>,
}

impl Faults {
    pub fn set(&self, fault: Fault) {
        *self.now.lock().unwrap() = fault;
    }

    fn get(&self) -> Fault {
        *self.now.lock().unwrap()
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }
}

/// Must be called inside a runtime.
pub fn start(dir: &Path, faults: &Faults) -> S3Config {
    let (now, open) = (faults.clone(), Arc::clone(&faults.open));
    s3_server::start_with(
        dir,
        Arc::new(move |service, request| answer(service, now.get(), request).boxed()),
        open,
    )
}

/// Returning an error makes the server close the connection.
async fn answer(service: S3Service, fault: Fault, request: Request<Incoming>) -> io::Result<Response<Body>> {
    match fault {
        Fault::Down => Err(closed()),
        Fault::RequestCut => {
            let _ = request.into_body().frame().await;
            Err(closed())
        }
        Fault::Silent => {
            let _ = request.into_body().collect().await;
            std::future::pending().await
        }
        Fault::Busy => {
            let _ = request.into_body().collect().await;
            let body = "<Error><Code>SlowDown</Code><Message>Reduce your request rate</Message></Error>";
            Ok(Response::builder().status(503).body(Body::from(body)).unwrap())
        }
        Fault::None | Fault::AnswerCut | Fault::AnswerLost | Fault::WrongETag => {
            spoiled(fault, s3_server::answer(service, request).await?).await
        }
    }
}

async fn spoiled(fault: Fault, mut response: Response<Body>) -> io::Result<Response<Body>> {
    match fault {
        Fault::AnswerLost => Err(closed()),
        Fault::WrongETag => {
            if response.headers().contains_key("etag") {
                response
                    .headers_mut()
                    .insert("etag", "\"0123456789abcdef0123456789abcdef\"".parse().unwrap());
            }
            Ok(response)
        }
        Fault::AnswerCut => {
            let (mut parts, body) = response.into_parts();
            let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
            parts.headers.insert("content-length", bytes.len().max(2).into());
            let half = stream::iter([Ok(bytes.slice(..bytes.len() / 2))]);
            let cut = half.chain(stream::once(async { Err(closed()) }));
            Ok(Response::from_parts(parts, Body::from_stream(cut)))
        }
        _ => Ok(response),
    }
}

fn closed() -> io::Error {
    io::ErrorKind::ConnectionReset.into()
}
