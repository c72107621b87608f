//! The bucket `images`: the bytes decide what is stored, not the declared type.

use axum::http::{Request, header};

use crate::support::{Service, assert_refused, jpeg_with_gps, pixel, post};

#[tokio::test]
async fn the_five_formats_are_stored_with_their_real_type() {
    let service = Service::start().await;
    for (format, mime_type) in [
        ("jpg", "image/jpeg"),
        ("png", "image/png"),
        ("webp", "image/webp"),
        ("gif", "image/gif"),
        ("avif", "image/avif"),
    ] {
        // The name and the declared type are wrong. The bytes decide.
        let stored =
            post(&service.service(), &format!("images/{format}.PHP"), "text/html", pixel(format)).await;
        assert_eq!(stored.status, 200, "{format}: {}", stored.text());
        let got = service.nobody().get(&format!("/object/public/images/{format}.PHP")).await;
        assert_eq!(got.header("content-type"), Some(mime_type));
        assert_eq!(got.header("content-disposition"), None, "pictures are displayed inline");
    }
}

#[tokio::test]
async fn files_that_are_not_pictures_are_refused_whatever_they_declare() {
    let service = Service::start().await;
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>";
    let page = format!("<!doctype html><script>alert(1)</script>{}", " ".repeat(100));
    for (mime_type, body) in [
        ("image/svg+xml", svg.to_owned().into_bytes()),
        ("image/png", page.into_bytes()),
        ("image/png", Vec::new()),
        ("image/jpeg", b"%PDF-1.7".to_vec()),
        ("image/bmp", b"BM\0\0\0\0\0\0\0\0".to_vec()),
    ] {
        assert_refused(
            &post(&service.service(), "images/a.png", mime_type, body).await,
            415,
            "InvalidMimeType",
        );
    }
    for head in [&b"GIF89a"[..], b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\xff\0\0\0WEBP"] {
        let disguised = [head, b"=alert(1)//<script>alert(1)</script>"].concat();
        assert_refused(
            &post(&service.service(), "images/a.png", "image/png", disguised).await,
            400,
            "InvalidRequest",
        );
    }
    assert_eq!(service.count_rows().await, 0);
    assert!(service.blobs().is_empty() && service.half_received().is_empty());
}

#[tokio::test]
async fn gps_positions_are_removed_but_the_orientation_stays() {
    let service = Service::start().await;
    let form = [
        b"--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n",
        jpeg_with_gps().as_slice(),
        b"\r\n--x--\r\n",
    ]
    .concat();
    let request =
        Request::post("/object/images/a.jpg").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    assert_eq!(service.service().send(request, form).await.status, 200);

    let got = service.nobody().get("/object/public/images/a.jpg").await.body;
    assert!(!got.windows(3).any(|window| window == b"GPS"));
    assert!(
        got.windows(12).any(|window| window == b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"),
        "orientation 6 is kept"
    );
}

#[tokio::test]
async fn a_bucket_enforces_its_file_size_limit() {
    let service = Service::start().await;
    let large = [pixel("png"), vec![0; 10 * 1024 * 1024]].concat();
    assert_refused(
        &post(&service.service(), "images/a.png", "image/png", large).await,
        413,
        "EntityTooLarge",
    );
    assert_eq!(service.count_rows().await, 0);
}

#[tokio::test]
async fn a_generic_bucket_trusts_the_declared_type() {
    let service = Service::start().await;
    service
        .make_bucket("shots", serde_json::json!({ "public": true, "allowed_mime_types": ["image/png"] }))
        .await;
    assert_eq!(post(&service.service(), "shots/a.png", "image/png", pixel("jpg")).await.status, 200);
}
