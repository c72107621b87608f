//! Files made to deceive the server or exhaust its resources. Each gets a clear error and nothing is kept, or
//! only its harmless part is stored. Files that declare too many pixels are in `picture_size.rs`.

use image::codecs::png::PngEncoder;
use image::{DynamicImage, GrayImage, Rgb, RgbImage};
use serde_json::json;

use crate::support::{Service, assert_refused, delete, jpeg_with_gps, pixel, post};

const SCRIPT: &[u8] = b"<html><script>alert(1)</script>";

/// The result of an upload to `images`.
enum Expected {
    /// An error with this status and code, whose message contains a text.
    Refused(u16, &'static str, &'static str),
    /// Stored with this type, without the script.
    Cleaned(&'static str),
}
use Expected::{Cleaned, Refused};

const UNKNOWN: Expected = Refused(415, "InvalidMimeType", "is not supported");
const BROKEN: Expected = Refused(400, "InvalidRequest", "begins like");

/// A segment or chunk of a JPEG, PNG or GIF with `content`.
fn jpeg_with(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    let picture = pixel("jpg");
    [&picture[..2], &[0xff, marker], &length, content, &picture[2..]].concat()
}

fn png_with(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let picture = pixel("png");
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    let chunk = [&length[..], kind, content, b"CRC!"].concat();
    [&picture[..33], &chunk, &picture[33..]].concat()
}

fn gif_with(comment: &[u8]) -> Vec<u8> {
    let picture = pixel("gif");
    let block = [&[0x21, 0xfe, u8::try_from(comment.len()).unwrap()][..], comment, &[0]].concat();
    let end = picture.len() - 1;
    [&picture[..end], &block, &picture[end..]].concat()
}

fn truncated(format: &str) -> Vec<u8> {
    let picture = pixel(format);
    picture[..picture.len() * 2 / 3].to_vec()
}

fn cases() -> Vec<(&'static str, &'static str, Vec<u8>, Expected)> {
    let then = |picture: &[u8]| [picture, SCRIPT].concat();
    let before = |picture: &[u8]| [SCRIPT, picture].concat();
    vec![
        ("nothing", "image/png", Vec::new(), UNKNOWN),
        ("one byte", "image/png", vec![0xff], UNKNOWN),
        ("only a signature", "image/jpeg", vec![0xff, 0xd8, 0xff], BROKEN),
        ("a truncated JPEG", "image/jpeg", truncated("jpg"), BROKEN),
        ("a truncated PNG", "image/png", truncated("png"), BROKEN),
        ("a truncated GIF", "image/gif", truncated("gif"), BROKEN),
        ("a truncated WebP", "image/webp", truncated("webp"), BROKEN),
        ("a truncated AVIF", "image/avif", truncated("avif"), BROKEN),
        ("HTML as PNG", "image/png", SCRIPT.to_vec(), UNKNOWN),
        ("SVG as PNG", "image/png", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), UNKNOWN),
        ("SVG as SVG", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), UNKNOWN),
        ("BMP", "image/bmp", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0".to_vec(), UNKNOWN),
        ("TIFF", "image/tiff", b"II*\0\x08\0\0\0".to_vec(), UNKNOWN),
        ("HEIC", "image/avif", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec(), UNKNOWN),
        ("ZIP as JPEG", "image/jpeg", b"PK\x03\x04".repeat(100), UNKNOWN),
        ("PDF before a JPEG", "image/jpeg", [b"%PDF-1.7\n".to_vec(), pixel("jpg")].concat(), UNKNOWN),
        ("HTML before a JPEG", "image/jpeg", before(&pixel("jpg")), UNKNOWN),
        ("a script that begins like a GIF", "image/gif", b"GIF89a=1;alert(1)//".to_vec(), BROKEN),
        ("a PNG as JPEG", "image/jpeg", pixel("png"), Cleaned("image/png")),
        ("a JPEG as HTML", "text/html", pixel("jpg"), Cleaned("image/jpeg")),
        ("HTML behind a JPEG", "image/jpeg", then(&pixel("jpg")), Cleaned("image/jpeg")),
        ("HTML behind a PNG", "image/png", then(&pixel("png")), Cleaned("image/png")),
        ("HTML behind a GIF", "image/gif", then(&pixel("gif")), Cleaned("image/gif")),
        ("HTML behind a WebP", "image/webp", then(&pixel("webp")), Cleaned("image/webp")),
        ("HTML behind an AVIF", "image/avif", then(&pixel("avif")), BROKEN),
        ("HTML in a JPEG's comment", "image/jpeg", jpeg_with(0xfe, SCRIPT), Cleaned("image/jpeg")),
        ("HTML in a JPEG's APP13", "image/jpeg", jpeg_with(0xed, SCRIPT), Cleaned("image/jpeg")),
        ("HTML in a PNG's text", "image/png", png_with(b"tEXt", SCRIPT), Cleaned("image/png")),
        ("HTML in a GIF's comment", "image/gif", gif_with(SCRIPT), Cleaned("image/gif")),
        ("60 KB of a JPEG's header", "image/jpeg", jpeg_with(0xe1, &[b' '; 60_000]), Cleaned("image/jpeg")),
        (
            "9 MB of a PNG's text",
            "image/png",
            png_with(b"zTXt", &vec![b' '; 9_000_000]),
            Cleaned("image/png"),
        ),
        (
            "a PNG's chunk of 4 GB",
            "image/png",
            [&pixel("png")[..33], b"\xff\xff\xff\xfftEXt"].concat(),
            BROKEN,
        ),
        ("a position in EXIF", "image/jpeg", jpeg_with_gps(), Cleaned("image/jpeg")),
    ]
}

#[tokio::test]
async fn a_hostile_picture_is_refused_or_cleaned() {
    let service = Service::start().await;
    for (name, declared, file, expected) in cases() {
        let answer = post(&service.service(), "images/a", declared, file.clone()).await;
        match expected {
            Refused(status, code, text) => {
                assert_refused(&answer, status, code);
                let message = answer.json()["message"].as_str().unwrap().to_owned();
                assert!(message.contains(text) && message.lines().count() == 1, "{name}: {message}");
            }
            Cleaned(mime_type) => {
                assert_eq!(answer.status, 200, "{name}: {}", answer.text());
                let got = service.nobody().get("/object/public/images/a").await;
                assert_eq!(got.header("content-type"), Some(mime_type), "{name}");
                assert_eq!(got.header("x-content-type-options"), Some("nosniff"), "{name}");
                assert!(!got.body.windows(7).any(|part| part == b"<script"), "{name}");
                assert!(got.body.len() < 2000, "{name}: {} bytes are stored", got.body.len());
                let removed = delete(&service.service(), "/object/images/a").await;
                assert_eq!(removed.status, 200, "{name}: {}", removed.text());
            }
        }
        assert_eq!((service.count_rows().await, service.blobs().len()), (0, 0), "{name}");
        assert!(service.half_received().is_empty(), "{name}");
    }
}

fn encoded(picture: RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(picture).write_with_encoder(PngEncoder::new(&mut bytes)).unwrap();
    bytes
}

/// A bucket for any file stores these unchanged. The renderer must reject them.
#[tokio::test]
async fn a_hostile_file_is_not_rendered() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let truncated: Vec<_> = ["jpg", "gif", "webp"].map(|format| (format, truncated(format))).into();
    let mut png = encoded(RgbImage::from_fn(64, 64, |x, y| {
        Rgb([x * y, x ^ y, x + y].map(|number| number.to_le_bytes()[0]))
    }));
    png.truncate(png.len() / 2);
    let others = [
        ("a truncated PNG", png),
        ("nothing", Vec::new()),
        ("a signature", vec![0xff, 0xd8, 0xff]),
        ("HTML", SCRIPT.to_vec()),
        ("a script like a GIF", b"GIF89a=1;alert(1)//".to_vec()),
    ];
    for (name, file) in truncated.into_iter().chain(others) {
        assert_eq!(post(&service.service(), "papers/a", "image/png", file).await.status, 200, "{name}");
        let answer = service.nobody().get("/render/image/public/papers/a?width=10").await;
        assert_refused(&answer, 400, "InvalidRequest");
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("image") && message.lines().count() == 1, "{name}: {message}");
        assert!(service.variants().is_empty(), "{name}");
        assert_eq!(delete(&service.service(), "/object/papers/a").await.status, 200);
    }
}

/// A file of some kilobytes that takes a byte per pixel to decode.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = DynamicImage::ImageLuma8(GrayImage::new(width, height));
    picture.write_with_encoder(PngEncoder::new(&mut bytes)).unwrap();
    assert!(bytes.len() < 1_000_000, "{} bytes", bytes.len());
    bytes
}

/// Neither the server nor a visitor's browser decodes it, unless somebody stored it in a bucket for any file.
#[tokio::test]
async fn a_decompression_bomb_is_not_decoded() {
    let service = Service::start().await;
    let bomb_of_30 = bomb(6_000, 5_000);
    let answer = post(&service.service(), "images/a", "image/png", bomb_of_30.clone()).await;
    assert_refused(&answer, 413, "EntityTooLarge");
    assert!(answer.text().contains("at most 25 megapixels"), "{}", answer.text());
    service.make_bucket("papers", json!({ "public": true })).await;
    assert_eq!(post(&service.service(), "papers/a", "image/png", bomb_of_30.clone()).await.status, 200);
    let answer = service.nobody().get("/render/image/public/papers/a?width=10").await;
    assert_eq!((answer.status.as_u16(), answer.body == bomb_of_30), (200, true), "as stored");
}

/// Content that a browser would run is downloaded as a file instead of displayed, and never served as HTML.
#[tokio::test]
async fn html_in_a_bucket_for_any_file_is_not_displayed() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    for declared in ["text/html", "TEXT/HTML; charset=utf-8", "image/svg+xml", "application/xhtml+xml"] {
        assert_eq!(post(&service.service(), "papers/a", declared, SCRIPT.to_vec()).await.status, 200);
        let got = service.nobody().get("/object/public/papers/a").await;
        assert!(
            !got.header("content-type").unwrap().to_ascii_lowercase().contains("text/html"),
            "{declared}"
        );
        assert_eq!(got.header("content-disposition"), Some("attachment"), "{declared}");
        assert_eq!(got.header("content-security-policy"), Some("default-src 'none'; sandbox"), "{declared}");
        assert_eq!(delete(&service.service(), "/object/papers/a").await.status, 200);
    }
}
