//! Which part of a picture is kept, and pictures that can't be rendered.

use serde_json::json;

use crate::render::{decoded, rotated_jpeg, with_pictures};
use crate::support::{assert_refused, post};

#[tokio::test]
async fn gravity_chooses_the_part_that_is_kept() {
    let service = with_pictures().await;
    let path = "/render/image/public/images/a.jpg?width=100&height=400";
    for (gravity, colors, described) in [
        ("gravity=we", "rr", "gravity:we"),
        ("gravity=soea", "bb", "gravity:soea"),
        ("gravity=ce", "rb", "gravity:ce"),
        ("gravity=sm&x_offset=1", "rb", "gravity:sm"),
        ("gravity=we&x_offset=-9&y_offset=0.5", "rr", "gravity:we:-9:0.5"),
        ("gravity=fp&x_offset=0&y_offset=1", "rr", "gravity:fp:0:1"),
        ("gravity=fp&x_offset=1&y_offset=0.25", "bb", "gravity:fp:1:0.25"),
    ] {
        let answer = service.nobody().get(&format!("{path}&{gravity}")).await;
        let picture = decoded(&answer).to_rgb8();
        let color = |x: u32| if picture.get_pixel(x, 200)[0] > 150 { 'r' } else { 'b' };
        assert_eq!(String::from_iter([color(10), color(90)]), colors, "{gravity}");
        let expected = format!("height:400,width:100,resizing_type:fill,{described}");
        assert_eq!(answer.header("x-transformations"), Some(&*expected));
    }
    for outside in ["gravity=fp", "gravity=fp&x_offset=0.5&y_offset=2", "gravity=up", "x_offset=left"] {
        let answer = service.nobody().get(&format!("{path}&{outside}")).await;
        assert_eq!(answer.status, 400, "{outside}");
    }
    let transform = json!({ "width": 1, "height": 1, "gravity": "fp", "x_offset": 0, "y_offset": 1 });
    let body = json!({ "expiresIn": 60, "transform": transform });
    let signed = service.service().post_json("/object/sign/images/a.jpg", &body).await.json();
    let answer = service.nobody().get(signed["signedURL"].as_str().unwrap()).await;
    assert!(answer.header("x-transformations").unwrap().ends_with(",gravity:fp:0:1"));
}

#[tokio::test]
async fn gravity_holds_for_rotated_pictures() {
    let service = with_pictures().await;
    let picture = rotated_jpeg(400, 200);
    assert_eq!(post(&service.service(), "images/turned.jpg", "image/jpeg", picture).await.status, 200);
    let path = "/render/image/public/images/turned.jpg?width=100&height=100";
    // After a quarter turn clockwise, the red left half is at the top.
    for (gravity, red) in [("no", true), ("so", false)] {
        let picture = decoded(&service.nobody().get(&format!("{path}&gravity={gravity}")).await).to_rgb8();
        assert_eq!(picture.get_pixel(50, 20)[0] > 150, red, "{gravity}");
        assert_eq!(picture.get_pixel(50, 80)[0] > 150, red, "{gravity}");
    }
}

#[tokio::test]
async fn files_that_are_not_images_are_rejected_as_in_supabase() {
    let service = with_pictures().await;
    // Claims to be of the HEIF family, without a type that anything can decode.
    let heif = b"\0\0\0\x10ftypmif1\0\0\0\0".to_vec();
    for (key, bytes) in [("text.txt", b"no image".to_vec()), ("a.heic", heif)] {
        let key = format!("secrets/{key}");
        assert_eq!(post(&service.service(), &key, "image/heic", bytes).await.status, 200);
        let answer = service.service().get(&format!("/render/image/authenticated/{key}")).await;
        assert_refused(&answer, 400, "InvalidRequest");
        assert_eq!(answer.json()["error"], "InvalidRequest");
        assert_eq!(answer.json()["message"], "The source image is invalid or unsupported for rendering");
    }
}
