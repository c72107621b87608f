//! Resized and converted pictures.

use axum::body::Body;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage};
use serde_json::json;
use test_support::client::Answer;

use crate::support::{Service, assert_refused, pixel, post};

/// Whether `Accept` is among the headers that the answer varies with.
fn varies_with_accept(answer: &Answer) -> bool {
    let names = answer.headers.get_all(header::VARY).into_iter().filter_map(|names| names.to_str().ok());
    names.flat_map(|names| names.split(',')).any(|name| name.trim().eq_ignore_ascii_case("accept"))
}

/// A picture with a red left half and a blue right half.
pub fn two_halves(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let picture =
        RgbImage::from_fn(
            width,
            height,
            |x, _| {
                if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) }
            },
        );
    let picture = DynamicImage::ImageRgb8(picture);
    let mut bytes = Vec::new();
    // `write_to` would compile the encoders of all formats.
    match format {
        ImageFormat::Jpeg => picture.write_with_encoder(JpegEncoder::new(&mut bytes)),
        ImageFormat::Png => picture.write_with_encoder(PngEncoder::new(&mut bytes)),
        ImageFormat::Gif => GifEncoder::new(&mut bytes).encode_frame(Frame::new(picture.to_rgba8())),
        ImageFormat::WebP => picture.write_with_encoder(WebPEncoder::new_lossless(&mut bytes)),
        other => panic!("no test needs {other:?}"),
    }
    .unwrap();
    bytes
}

/// A JPEG whose EXIF orientation asks for a quarter turn clockwise.
pub fn rotated_jpeg(width: u32, height: u32) -> Vec<u8> {
    let picture = two_halves(width, height, ImageFormat::Jpeg);
    let exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&picture[..2], &[0xff, 0xe1], &length, exif, &picture[2..]].concat()
}

pub fn decoded(answer: &Answer) -> DynamicImage {
    assert_eq!(answer.status, 200, "{}", answer.text());
    image::load_from_memory(&answer.body).unwrap()
}

pub fn size(answer: &Answer) -> (u32, u32) {
    let picture = decoded(answer);
    (picture.width(), picture.height())
}

/// A 600 × 400 picture in the public bucket `images` and, declared as text, in the private bucket `secrets`.
pub async fn with_pictures() -> Service {
    let service = Service::start().await;
    service.make_bucket("secrets", json!({})).await;
    let picture = two_halves(600, 400, ImageFormat::Jpeg);
    for (key, mime_type) in [("images/a.jpg", "image/jpeg"), ("secrets/a.txt", "text/plain")] {
        assert_eq!(post(&service.service(), key, mime_type, picture.clone()).await.status, 200);
    }
    service
}

#[tokio::test]
async fn a_picture_is_returned_in_the_requested_size_and_shape() {
    let service = with_pictures().await;
    let get =
        async |query: &str| service.nobody().get(&format!("/render/image/public/images/a.jpg{query}")).await;
    for (query, expected) in [
        ("?width=300", (300, 200)),
        ("?height=100", (150, 100)),
        ("?width=200&height=200", (200, 200)),
        ("?width=200&height=200&resize=contain", (200, 133)),
        ("?width=200&height=200&resize=fill", (200, 200)),
        ("?width=5000", (600, 400)),
        ("", (600, 400)),
    ] {
        let answer = get(query).await;
        assert_eq!(size(&answer), expected, "{query}");
        assert_eq!(answer.header("content-type"), Some("image/jpeg"), "{query}");
    }
    // `cover` crops the sides and keeps the middle, so both colors remain.
    let cut = decoded(&get("?width=100&height=400&resize=cover").await).to_rgb8();
    assert!(cut.get_pixel(10, 200)[0] > 150 && cut.get_pixel(90, 200)[2] > 150);

    let (rough, fine) = (get("?quality=20").await, get("?quality=100").await);
    assert!(rough.body.len() < fine.body.len());
}

#[tokio::test]
async fn the_format_is_the_requested_one_or_the_sources() {
    let service = with_pictures().await;
    for (key, format) in
        [("b.png", ImageFormat::Png), ("c.gif", ImageFormat::Gif), ("d.webp", ImageFormat::WebP)]
    {
        let picture = two_halves(64, 32, format);
        assert_eq!(post(&service.service(), &format!("images/{key}"), "x/y", picture).await.status, 200);
        let answer = service.nobody().get(&format!("/render/image/public/images/{key}?width=32")).await;
        assert_eq!((size(&answer), answer.header("content-type")), ((32, 16), Some(format.to_mime_type())));
    }
    let webp = service.nobody().get("/render/image/public/images/a.jpg?width=32&format=webp").await;
    assert_eq!((size(&webp), webp.header("content-type")), ((32, 21), Some("image/webp")));
    assert!(!varies_with_accept(&webp));
    let avif = service.nobody().get("/render/image/public/images/a.jpg?width=32&format=avif").await;
    assert_eq!((avif.status.as_u16(), avif.header("content-type")), (200, Some("image/avif")));

    let browser = |query: &str| {
        Request::get(format!("/render/image/public/images/a.jpg?width=32{query}"))
            .header(header::ACCEPT, "image/avif,image/webp,*/*;q=0.8")
    };
    let offered = service.nobody().send(browser(""), Body::empty()).await;
    assert_eq!((offered.header("content-type"), varies_with_accept(&offered)), (Some("image/webp"), true));
    let origin = service.nobody().send(browser("&format=origin"), Body::empty()).await;
    assert_eq!(origin.header("content-type"), Some("image/jpeg"));
}

#[tokio::test]
async fn an_avif_is_returned_unchanged() {
    let service = Service::start().await;
    post(&service.service(), "images/a.avif", "image/avif", pixel("avif")).await;
    let (whole, small) = (
        service.nobody().get("/object/public/images/a.avif").await,
        service.nobody().get("/render/image/public/images/a.avif?width=1&format=webp").await,
    );
    assert_eq!((small.header("content-type"), &small.body), (Some("image/avif"), &whole.body));
}

#[tokio::test]
async fn a_rotated_photograph_is_returned_upright() {
    let service = Service::start().await;
    post(&service.service(), "images/a.jpg", "image/jpeg", rotated_jpeg(600, 400)).await;
    let answer = service.nobody().get("/render/image/public/images/a.jpg?width=200").await;
    assert_eq!(size(&answer), (200, 300));
    let picture = decoded(&answer).to_rgb8();
    // The left half is now at the top.
    assert!(picture.get_pixel(100, 20)[0] > 150 && picture.get_pixel(100, 280)[2] > 150);
}

#[tokio::test]
async fn a_caller_cannot_resize_an_object_that_they_cannot_read() {
    let service = with_pictures().await;
    assert_refused(
        &service.nobody().get("/render/image/public/secrets/a.txt?width=9").await,
        404,
        "NoSuchBucket",
    );
    let path = "/render/image/authenticated/secrets/a.txt?width=90";
    assert_refused(&service.person().await.client.get(path).await, 404, "NoSuchKey");
    assert_refused(&service.nobody().get(path).await, 400, "InvalidRequest");
    let answer = service.service().get(path).await;
    assert_eq!((size(&answer), answer.header("content-type")), ((90, 60), Some("image/jpeg")));
    // A cached variant is checked for permission too.
    assert_refused(&service.person().await.client.get(path).await, 404, "NoSuchKey");
}

#[tokio::test]
async fn a_signed_url_contains_its_transformation() {
    let service = with_pictures().await;
    let sign = async |transform: serde_json::Value| {
        let body = json!({ "expiresIn": 60, "transform": transform });
        service.service().post_json("/object/sign/secrets/a.txt", &body).await
    };
    let url = sign(json!({ "width": 100, "height": 100, "resize": "cover" })).await.json();
    let url = url["signedURL"].as_str().unwrap().to_owned();
    let token = url.strip_prefix("/render/image/sign/secrets/a.txt?token=").unwrap();
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!(claims["transformations"], "width:100,height:100,resize:cover");

    let answer = service.nobody().get(&format!("{url}&width=500&download=b.jpg")).await;
    assert_eq!(size(&answer), (100, 100), "the token decides the size, not the request");
    assert_eq!(answer.header("x-transformations"), Some("height:100,width:100,resizing_type:fill"));
    assert_eq!(answer.header("expires"), Some("Mon, 04 May 2026 03:03:01 GMT"));
    assert!(answer.header("content-disposition").unwrap().starts_with("attachment; filename=b.jpg"));
    assert_refused(&service.nobody().get(&url.replace("a.txt", "b.txt")).await, 400, "InvalidSignature");
    assert_refused(&service.nobody().get("/render/image/sign/secrets/a.txt").await, 400, "InvalidRequest");

    let plain = sign(json!({})).await.json();
    assert!(plain["signedURL"].as_str().unwrap().starts_with("/object/sign/secrets/a.txt?token="));
    assert_refused(&sign(json!({ "quality": 5 })).await, 400, "InvalidRequest");
}

#[tokio::test]
async fn non_pictures_and_oversized_pictures_are_refused() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let mut bomb = pixel("png");
    // A header that claims 30,000 × 30,000 pixels, with a matching checksum.
    bomb[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let checksum = crc32fast::hash(&bomb[12..29]).to_be_bytes();
    bomb[29..33].copy_from_slice(&checksum);
    let broken = two_halves(64, 64, ImageFormat::Png)[..80].to_vec();
    for (key, body) in [
        ("text", b"hello".to_vec()),
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
        ("empty", Vec::new()),
        ("bomb", bomb),
        ("broken", broken),
    ] {
        assert_eq!(post(&service.service(), &format!("papers/{key}"), "image/png", body).await.status, 200);
        let answer = service.nobody().get(&format!("/render/image/public/papers/{key}?width=10")).await;
        assert_refused(&answer, 400, "InvalidRequest");
    }
    assert_refused(&service.nobody().get("/render/image/public/papers/none").await, 404, "NoSuchKey");
}

#[tokio::test]
async fn invalid_options_are_refused() {
    let service = with_pictures().await;
    for query in ["quality=19", "quality=101", "width=-1", "width=x", "resize=zoom", "format=bmp"] {
        let answer = service.nobody().get(&format!("/render/image/public/images/a.jpg?{query}")).await;
        assert_refused(&answer, 400, "InvalidRequest");
    }
}

#[tokio::test]
async fn other_requests_are_answered_during_rendering() {
    let service = with_pictures().await;
    let large = two_halves(2400, 1800, ImageFormat::Jpeg);
    assert_eq!(post(&service.service(), "images/large.jpg", "image/jpeg", large).await.status, 200);
    let pictures = (0..6).map(|number| {
        let client = service.nobody();
        async move {
            let path = format!("/render/image/public/images/large.jpg?width={}", 1000 + number);
            client.get(&path).await.status.as_u16()
        }
    });
    let pictures = tokio::spawn(futures::future::join_all(pictures));
    assert_eq!(service.nobody().get("/object/public/images/a.jpg").await.status, 200);
    assert!(!pictures.is_finished(), "the request did not wait for them");
    assert_eq!(pictures.await.unwrap(), [200; 6]);
}
