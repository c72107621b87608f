//! An S3 server in this process with a bucket `pictures` and one key pair. It checks every signature.

use std::path::Path;

use hyper_util::rt::TokioIo;
use platform::secret::Secret;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use storage_service::config::S3Config;
use tokio::net::TcpListener;

pub const SECRET: &str = "a-secret-that-only-tests-may-use";

/// Serves until the test's runtime ends.
pub async fn start(dir: &Path) -> S3Config {
    std::fs::create_dir_all(dir.join("pictures")).unwrap();
    let mut builder = S3ServiceBuilder::new(FileSystem::new(dir).unwrap());
    builder.set_auth(SimpleAuth::from_single("tests", SECRET));
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service.clone());
            tokio::spawn(connection);
        }
    });
    S3Config {
        endpoint,
        region: "garage".to_owned(),
        bucket: "pictures".to_owned(),
        access_key_id: "tests".to_owned(),
        secret_access_key: Secret::new(SECRET),
    }
}
