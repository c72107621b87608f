//! An S3 server in this process with a bucket `pictures` and one key pair. It checks every signature.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use futures::FutureExt;
use futures::future::BoxFuture;
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use platform::secret::Secret;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use storage_service::config::S3Config;
use tokio::net::TcpListener;

pub const SECRET: &str = "a-secret-that-only-tests-may-use";

/// Answers a request, or closes its connection with an error.
pub type Answer =
    Arc<dyn Fn(S3Service, Request<Incoming>) -> BoxFuture<'static, io::Result<Response<Body>>> + Send + Sync>;

/// Serves until the test's runtime ends.
pub async fn start(dir: &Path) -> S3Config {
    start_with(dir, Arc::new(|service, request| answer(service, request).boxed()), Arc::default())
}

/// The server's normal answer.
pub async fn answer(service: S3Service, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let response = hyper::service::Service::call(&service, request).await;
    Ok(response.map_err(io::Error::other)?.map(Body::new))
}

/// Must be called inside a runtime. `open` counts the open connections.
pub fn start_with(dir: &Path, answer: Answer, open: Arc<AtomicUsize>) -> S3Config {
    std::fs::create_dir_all(dir.join("pictures")).unwrap();
    let mut builder = S3ServiceBuilder::new(FileSystem::new(dir).unwrap());
    builder.set_auth(SimpleAuth::from_single("tests", SECRET));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(serve(TcpListener::from_std(listener).unwrap(), builder.build(), answer, open));
    S3Config {
        endpoint,
        region: "garage".to_owned(),
        bucket: "pictures".to_owned(),
        access_key_id: "tests".to_owned(),
        secret_access_key: Secret::new(SECRET),
        request_timeout: Duration::from_secs(30),
    }
}

async fn serve(listener: TcpListener, service: S3Service, answer: Answer, open: Arc<AtomicUsize>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (service, answer, open) = (service.clone(), Arc::clone(&answer), Arc::clone(&open));
        let answering = hyper::service::service_fn(move |request| answer(service.clone(), request));
        open.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answering)
                .await;
            open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}
