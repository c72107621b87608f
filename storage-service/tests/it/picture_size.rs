//! Pictures whose headers claim more pixels than the limit.

use crate::support::{Service, assert_refused, pixel, post};

fn png(width: u32, height: u32, frames: u32) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        [&u32::try_from(content.len()).unwrap().to_be_bytes()[..], kind, content, b"CRC!"].concat()
    };
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let control = [&frames.to_be_bytes()[..], &[0; 4]].concat();
    let (head, control) = (chunk(b"IHDR", &head), chunk(b"acTL", &control));
    [&b"\x89PNG\r\n\x1a\n"[..], &head, &control, &chunk(b"IDAT", b"x"), &chunk(b"IEND", b"")].concat()
}

fn gif(width: u16, height: u16, frame: (u16, u16), frames: usize) -> Vec<u8> {
    let sides = |(width, height): (u16, u16)| [width.to_le_bytes(), height.to_le_bytes()].concat();
    let frame = [&b"\x2c\0\0\0\0"[..], &sides(frame), b"\0\x02\x02\x44\x01\0"].concat();
    let colors = b"\x80\0\0\0\0\0\xff\xff\xff";
    [&b"GIF89a"[..], &sides((width, height)), colors, &frame.repeat(frames), b";"].concat()
}

fn webp(canvas: (u32, u32), frame: Option<(u32, u32)>) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        [&kind[..], &u32::try_from(content.len()).unwrap().to_le_bytes(), content].concat()
    };
    let side = |side: u32| (side - 1).to_le_bytes()[..3].to_vec();
    let features = [vec![0; 4], side(canvas.0), side(canvas.1)].concat();
    let lossless = |(width, height): (u32, u32)| {
        let sides = (width - 1) | (height - 1) << 14;
        chunk(b"VP8L", &[&[0x2f][..], &sides.to_le_bytes(), b"x"].concat())
    };
    let pixels = match frame {
        None => lossless((1, 1)),
        Some(frame) => {
            chunk(b"ANMF", &[vec![0; 6], side(frame.0), side(frame.1), vec![0; 4], lossless((1, 1))].concat())
        }
    };
    let body = [chunk(b"VP8X", &features), pixels].concat();
    [&b"RIFF"[..], &u32::try_from(body.len() + 4).unwrap().to_le_bytes(), b"WEBP", &body].concat()
}

/// The broken frame is too short for its own header.
fn webp_with_broken_frame(frame: (u32, u32)) -> Vec<u8> {
    let mut picture = webp((10, 10), Some(frame));
    let at = picture.windows(4).position(|kind| kind == b"ANMF").unwrap();
    picture.splice(at..at, *b"ANMF\x02\0\0\0xx");
    let size = u32::try_from(picture.len() - 8).unwrap();
    picture[4..8].copy_from_slice(&size.to_le_bytes());
    picture
}

/// A small image, a property that is too short, and a large sequence.
fn avif_with_broken_image(width: u16, height: u16) -> Vec<u8> {
    let boxed = |kind: &[u8; 4], content: &[u8]| {
        [&u32::try_from(content.len() + 8).unwrap().to_be_bytes()[..], kind, content].concat()
    };
    let sides = |width: u16, height: u16| {
        [&[0; 76][..], &width.to_be_bytes(), &[0; 2], &height.to_be_bytes(), &[0; 2]].concat()
    };
    let track = |width, height| boxed(b"trak", &boxed(b"tkhd", &sides(width, height)));
    let sizes = [boxed(b"ispe", b"\0\0\0\0\0\0\0\x01\0\0\0\x01"), boxed(b"ispe", b"short")];
    let properties = boxed(b"iprp", &boxed(b"ipco", &sizes.concat()));
    let meta = boxed(b"meta", &[&[0; 4][..], &boxed(b"iinf", &[0; 6]), &properties].concat());
    let tracks = [boxed(b"trak", &boxed(b"tkhd", b"short")), track(1, 1), track(width, height)].concat();
    let parts =
        [boxed(b"ftyp", b"avif\0\0\0\0mif1avif"), meta, boxed(b"moov", &tracks), boxed(b"mdat", b"x")];
    parts.concat()
}

/// A real one-pixel JPEG with an extra frame header.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let picture = pixel("jpg");
    let frame = [&[0xff, 0xc2, 0, 11, 8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[1, 1, 0x11, 0]];
    [&picture[..2], &frame.concat(), &picture[2..]].concat()
}

/// A real AVIF with other dimensions in its `ispe` properties.
fn avif(width: u32, height: u32) -> Vec<u8> {
    let mut picture = pixel("avif");
    let at = picture.windows(4).position(|kind| kind == b"ispe").unwrap() + 8;
    picture[at..at + 4].copy_from_slice(&width.to_be_bytes());
    picture[at + 4..at + 8].copy_from_slice(&height.to_be_bytes());
    picture
}

#[tokio::test]
async fn pictures_with_too_many_pixels_are_refused_in_all_formats() {
    let service = Service::start().await;
    for (name, picture) in [
        ("png of 60,000", png(60_000, 60_000, 1)),
        ("png of 12,000", png(12_000, 12_000, 1)),
        ("long png", png(16_385, 1, 1)),
        ("animated png", png(1_000, 1_000, 201)),
        ("gif canvas", gif(60_000, 60_000, (1, 1), 1)),
        ("gif canvas of 12,000", gif(12_000, 12_000, (1, 1), 1)),
        ("gif frame", gif(1, 1, (12_000, 12_000), 1)),
        ("animated gif", gif(4_000, 4_000, (1, 1), 13)),
        ("webp canvas", webp((60_000, 60_000), None)),
        ("webp canvas of 12,000", webp((12_000, 12_000), None)),
        ("webp frame", webp((10, 10), Some((12_000, 12_000)))),
        ("jpeg", jpeg(60_000, 60_000)),
        ("jpeg of 12,000", jpeg(12_000, 12_000)),
        ("avif", avif(12_000, 12_000)),
        ("avif", avif(60_000, 60_000)),
        ("webp frame after a broken frame", webp_with_broken_frame((60_000, 60_000))),
        ("avif sequence after a broken image", avif_with_broken_image(60_000, 60_000)),
    ] {
        let answer = post(&service.service(), "images/a", "image/png", picture).await;
        assert_refused(&answer, 413, "EntityTooLarge");
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("megapixels") && message.contains("allowed"), "{name}: {message}");
    }
    assert_eq!(service.count_rows().await, 0);
    assert!(service.blobs().is_empty() && service.half_received().is_empty());
}

/// Nothing that can never be resized is stored among images. A JPEG that is read at half its size is in `render_sources.rs`.
#[tokio::test]
async fn pictures_that_cannot_be_decoded_in_the_memory_for_them_are_refused() {
    let service = Service::start().await;
    let deep = |color_type: u8, width| {
        let mut picture = png(width, 5_000, 1);
        picture[24..26].copy_from_slice(&[16, color_type]);
        picture
    };
    for (name, picture) in [
        ("png", png(5_001, 5_000, 1)),
        ("png of 100 megapixels", png(10_000, 10_000, 1)),
        ("png of 16 bits", deep(2, 3_334)),
        ("transparent png of 16 bits", deep(6, 2_501)),
        ("webp", webp((5_001, 5_000), None)),
        ("gif", gif(5_001, 5_000, (1, 1), 1)),
        ("progressive jpeg", jpeg(5_001, 5_000)),
    ] {
        let answer = post(&service.service(), "images/a", "image/png", picture).await;
        assert_refused(&answer, 413, "EntityTooLarge");
        assert!(answer.text().contains("at most 25 megapixels are allowed"), "{name}: {}", answer.text());
    }
    for (key, picture) in [("a", deep(0, 5_000)), ("b", deep(2, 3_333)), ("c", deep(6, 2_500))] {
        let answer = post(&service.service(), &format!("images/{key}"), "image/png", picture).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

/// Boxes in boxes in boxes.
#[tokio::test]
async fn deeply_nested_pictures_are_handled() {
    let service = Service::start().await;
    let nested = |kind: &[u8; 4], overhead: u32, header: &dyn Fn(u32) -> [u8; 4], depth: u32| {
        let mut bytes = Vec::new();
        for left in (1..=depth).rev() {
            let size = header((8 + overhead) * left);
            let head = if kind == b"ANMF" { [*kind, size] } else { [size, *kind] };
            bytes.extend(head.concat());
            bytes.extend(vec![0; overhead as usize]);
        }
        bytes
    };
    let big = |length: u32| length.to_be_bytes();
    let little = |length: u32| (length - 8).to_le_bytes();
    let boxes = nested(b"trak", 0, &big, 500_000);
    let size = u32::try_from(boxes.len() + 8).unwrap().to_be_bytes();
    let avif = [pixel("avif"), size.to_vec(), b"moov".to_vec(), boxes].concat();
    let frames = nested(b"ANMF", 16, &little, 150_000);
    let size = u32::try_from(frames.len() + 4).unwrap().to_le_bytes();
    let webp = [b"RIFF".to_vec(), size.to_vec(), b"WEBP".to_vec(), frames].concat();
    for picture in [avif, webp] {
        let answer = post(&service.service(), "images/a", "image/png", picture).await;
        assert!(!answer.status.is_server_error(), "{}", answer.text());
    }
    assert_eq!(post(&service.service(), "images/b", "image/png", pixel("png")).await.status, 200);
}

#[tokio::test]
async fn pictures_up_to_the_limits_are_stored() {
    let service = Service::start().await;
    for (name, picture) in [
        ("a.png", png(5_000, 5_000, 1)),
        ("b.png", png(16_384, 1_525, 1)),
        ("c.png", png(1_000, 1_000, 200)),
        ("d.gif", gif(4_000, 4_000, (4_000, 4_000), 12)),
        ("e.webp", webp((5_000, 5_000), None)),
        ("f.jpg", jpeg(5_000, 5_000)),
        ("g.avif", avif(10_000, 10_000)),
    ] {
        let answer = post(&service.service(), &format!("images/{name}"), "image/png", picture).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
    }
}
