//! Images that were saved with a color profile, that are very large, or that are cut off.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, GrayImage, ImageBuffer, ImageEncoder, Luma, Rgb, RgbImage};
use moxcms::ColorProfile;
use serde_json::json;

use crate::render::{decoded, rotated_jpeg, size, two_halves};
use crate::support::{Service, delete, post};

const FORMATS: [&str; 3] = ["jpeg", "png", "webp"];

fn saved(picture: &DynamicImage, format: &str, profile: &ColorProfile) -> Vec<u8> {
    fn with(mut encoder: impl ImageEncoder, picture: &DynamicImage, profile: &ColorProfile) {
        encoder.set_icc_profile(profile.encode().unwrap()).unwrap();
        picture.write_with_encoder(encoder).unwrap();
    }
    let mut bytes = Vec::new();
    match format {
        "jpeg" => with(JpegEncoder::new_with_quality(&mut bytes, 100), picture, profile),
        "png" => with(PngEncoder::new(&mut bytes), picture, profile),
        _ => with(WebPEncoder::new_lossless(&mut bytes), picture, profile),
    }
    bytes
}

async fn assert_rendered_as(service: &Service, picture: Vec<u8>, wanted: [u8; 3], case: &str) {
    assert_eq!(post(&service.service(), "shots/a", "image/png", picture).await.status, 200);
    for (width, format) in [(20, "webp"), (20, "origin"), (40, "origin")] {
        let path =
            format!("/render/image/public/shots/a?width={width}&resize=contain&quality=100&format={format}");
        let picture = decoded(&service.nobody().get(&path).await).to_rgb8();
        let Rgb(got) = *picture.get_pixel(picture.width() / 2, picture.height() / 2);
        // WebP has fewer levels of brightness, and ProPhoto's levels are twice as far apart.
        let most = if format == "webp" || case.contains("ProPhoto") { 3 } else { 2 };
        let close = got.iter().zip(wanted).all(|(got, wanted)| got.abs_diff(wanted) <= most);
        assert!(close, "{case} as {format} of {width}: {got:?}, not {wanted:?}");
    }
    delete(&service.service(), "/object/shots/a").await;
}

/// The wanted colors follow from the primaries and the curves of each space.
#[tokio::test]
async fn colors_of_other_spaces_are_converted_to_srgb() {
    let service = Service::start().await;
    service.make_bucket("shots", json!({ "public": true })).await;
    let (p3, adobe, pro_photo) =
        (ColorProfile::new_display_p3(), ColorProfile::new_adobe_rgb(), ColorProfile::new_pro_photo_rgb());
    for (name, profile, color, wanted) in [
        ("sRGB", &ColorProfile::new_srgb(), [200, 120, 60], [200, 120, 60]),
        ("Display P3", &p3, [255, 16, 0], [255, 0, 0]),
        ("Display P3", &p3, [200, 120, 60], [213, 115, 42]),
        ("Adobe RGB", &adobe, [200, 120, 60], [224, 121, 53]),
        ("ProPhoto", &pro_photo, [200, 120, 60], [255, 114, 57]),
    ] {
        for format in FORMATS {
            let picture = RgbImage::from_pixel(40, 40, Rgb(color)).into();
            let picture = saved(&picture, format, profile);
            assert_rendered_as(&service, picture, wanted, &format!("{format} in {name}")).await;
        }
    }
    let linear = ColorProfile::new_gray_with_gamma(1.0);
    for format in ["jpeg", "png"] {
        let picture = GrayImage::from_pixel(40, 40, Luma([64])).into();
        let picture = saved(&picture, format, &linear);
        assert_rendered_as(&service, picture, [137; 3], &format!("linear gray {format}")).await;
    }
    // Eight bits would not suffice for its shadows.
    let picture = DynamicImage::ImageLuma16(ImageBuffer::from_pixel(40, 40, Luma([0x0180])));
    assert_rendered_as(&service, saved(&picture, "png", &linear), [18; 3], "linear gray of 16 bits").await;
    let picture = RgbImage::from_pixel(40, 40, Rgb([200, 120, 60])).into();
    assert_rendered_as(&service, saved(&picture, "png", &linear), [200, 120, 60], "a profile for gray").await;
}

/// A quarter of the pixels is enough for every size that is rendered.
#[tokio::test]
async fn what_is_stored_can_be_shown_however_large_it_is() {
    let service = Service::start().await;
    service.make_bucket("shots", json!({ "public": true })).await;
    let shown = async |bucket: &str, picture: Vec<u8>| {
        assert_eq!(post(&service.service(), &format!("{bucket}/a"), "image/png", picture).await.status, 200);
        let answer = service.nobody().get(&format!("/render/image/public/{bucket}/a?width=100")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        delete(&service.service(), &format!("/object/{bucket}/a")).await;
        answer
    };
    let halves = GrayImage::from_fn(5_200, 5_000, |x, _| Luma([if x < 2_600 { 30 } else { 200 }]));
    let halves = DynamicImage::from(halves);
    let profile = ColorProfile::new_gray_with_gamma(2.2);
    let picture = decoded(&shown("images", saved(&halves, "jpeg", &profile)).await).to_luma8();
    assert_eq!(picture.dimensions(), (100, 96));
    let [left, right] = [20, 80].map(|x| picture.get_pixel(x, 48).0[0]);
    assert!(left.abs_diff(24) < 4 && right.abs_diff(201) < 4, "{left} and {right}");
    // These can't be read in parts.
    let large = two_halves(5_200, 5_000, image::ImageFormat::WebP);
    assert_eq!(shown("shots", large.clone()).await.body, large);
}

/// Buckets of images and others agree on what an image is and on how it is turned.
#[tokio::test]
async fn all_buckets_read_images_in_the_same_way() {
    let service = Service::start().await;
    service.make_bucket("shots", json!({ "public": true })).await;
    let png = two_halves(60, 40, image::ImageFormat::Png);
    let exif = b"eXIfMM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let exif = [&[0, 0, 0, 26], &exif[..], &crc32fast::hash(exif).to_be_bytes()].concat();
    let (head, end) = (8 + 25, png.len() - 12);
    let jpeg = rotated_jpeg(60, 40);
    let cut = jpeg[..jpeg.len() - 2].to_vec();
    for (name, picture) in [
        ("png with its orientation first", [&png[..head], &exif, &png[head..]].concat()),
        ("png with its orientation last", [&png[..end], &exif, &png[end..]].concat()),
        ("jpeg without an end marker", cut.clone()),
        ("jpeg without an end marker, with a trailer", [&cut, &b"\xff\xd8\xff\xe0 more"[..]].concat()),
    ] {
        for bucket in ["images", "shots"] {
            let stored = post(&service.service(), &format!("{bucket}/a"), "image/png", picture.clone()).await;
            assert_eq!(stored.status, 200, "{name} in {bucket}: {}", stored.text());
            let answer = service.nobody().get(&format!("/render/image/public/{bucket}/a?width=20")).await;
            assert_eq!(size(&answer), (20, 30), "{name} in {bucket}");
            delete(&service.service(), &format!("/object/{bucket}/a")).await;
        }
    }
}
