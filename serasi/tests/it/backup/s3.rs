//! Backups in an S3 bucket.

use std::path::Path;

use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

use super::{Site, entries, succeeded};

const SECRET: &str = "a-secret-that-only-tests-may-use";

/// Serves until the test's runtime ends, and returns the endpoint.
async fn serve(dir: &Path) -> String {
    let mut builder = S3ServiceBuilder::new(FileSystem::new(dir).unwrap());
    builder.set_auth(SimpleAuth::from_single("tests", SECRET));
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service.clone());
            tokio::spawn(connection);
        }
    });
    endpoint
}

/// The pictures are in a bucket, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_is_a_place_for_backups() {
    let server = tempfile::tempdir().unwrap();
    for bucket in ["backups", "restored", "live"] {
        std::fs::create_dir(server.path().join(bucket)).unwrap();
    }
    let endpoint = serve(server.path()).await;
    let site = Site::with_demo_data().await;
    std::fs::rename(site.storage.path().join("blobs"), server.path().join("live/blobs")).unwrap();
    let run = |site: &Site, bucket: &str, arguments: &[&str]| {
        let mut command = site.serasi(arguments, Path::new("s3://backups/daily"));
        command.env("S3_ENDPOINT", &endpoint).env("S3_REGION", "garage").env("S3_BUCKET", bucket);
        command.env("S3_ACCESS_KEY_ID", "tests").env("S3_SECRET_ACCESS_KEY", SECRET);
        succeeded(&command.output().unwrap())
    };
    let said = run(&site, "live", &["backup", "--to"]);
    assert!(said.starts_with("s3://backups/daily/serasi-") && said.contains("and 3 pictures"), "{said}");
    run(&site, "live", &["verify"]);
    let restored = Site::empty().await;
    run(&restored, "restored", &["restore"]);
    assert_eq!(restored.rows().await, site.rows().await);
    for (from, to) in [("live", "restored"), ("restored", "live")] {
        for folder in entries(&server.path().join(from).join("blobs")) {
            let path = |bucket: &str| entries(&server.path().join(bucket).join("blobs").join(&folder));
            assert_eq!(path(from), path(to));
        }
    }

    run(&site, "live", &["backup", "--keep", "1", "--to"]);
    let mut names = entries(&server.path().join("backups/daily"));
    names.retain(|name| name.ends_with(".tar"));
    assert_eq!(names.len(), 1, "{names:?}");
}
