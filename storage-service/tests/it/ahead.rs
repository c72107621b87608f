//! Uploaded images are rendered in the pages' sizes before they are requested.

use std::path::Path;
use std::time::{Duration, Instant};

use image::codecs::png::PngEncoder;
use image::{Rgb, RgbImage};
use pictures::Format;
use pictures::transform::{Bounds, Target, transform};

use crate::support::{Service, post};

const SOON: Duration = Duration::from_secs(30);
/// The sizes that the pages use.
const WIDTHS: [u32; 6] = [160, 320, 480, 640, 960, 1280];

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[tokio::test]
async fn an_uploaded_image_is_rendered_in_the_sizes_of_the_pages() {
    let service = Service::start().await;
    let _worker = service.work().await;
    let app = service.work().await;
    let client = test_support::client::TestClient::new(app.router());
    let mut picture = Vec::new();
    let pixels = RgbImage::from_fn(1400, 700, |x, y| Rgb([(x % 256) as u8, (y % 256) as u8, 40]));
    pixels.write_with_encoder(PngEncoder::new(&mut picture)).unwrap();
    let uploader = client.with_token(test_support::person::service_key());
    let answer = post(&uploader, "images/a/wide.png", "image/png", picture.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());

    let began = Instant::now();
    // Files that are being written have other names.
    let made = || service.variants().iter().filter(|file| !name(file).starts_with(".tmp")).count();
    while made() < WIDTHS.len() {
        assert!(began.elapsed() < SOON, "{:?}", service.variants());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for width in WIDTHS {
        let path = format!("/render/image/public/images/a/wide.png?width={width}&format=webp");
        let bounds = Bounds { width: Some(width), ..Bounds::default() };
        let target = Target { bounds, quality: 80, format: Format::Webp };
        let wanted = transform(&picture, Format::Png, &[target]).unwrap().unwrap().remove(0);
        assert!(client.get(&path).await.body == wanted, "{width}");
    }
    assert_eq!(made(), WIDTHS.len(), "each existed before it was requested");
}
