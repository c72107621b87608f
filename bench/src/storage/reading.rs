//! Reads public objects and a cached resized image, alternating with nginx, which serves the same bytes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, ensure};
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use rand::RngCore;
use reqwest::Method;

use super::nginx::Nginx;
use super::{BUCKET, CONNECTIONS, OUTPUT, Options};
use crate::product;
use crate::wrk::{self, Comparison, Request};

const WARM_UP: u64 = 2;
const HEADER: &str = "\
| file | storage | nginx | ratio | own CPU |
|---|---|---|---|---|";

/// Name, path below `/storage/v1`, the lowest ratio to nginx, and the limit for CPU time per request in milliseconds.
type Case = (&'static str, &'static str, f64, Option<f64>);
const CASES: [Case; 3] = [
    ("20 KB, public", "/object/public/serasi-bench/20k.webp", 0.6, Some(0.02)),
    ("200 KB, public", "/object/public/serasi-bench/200k.webp", 0.8, None),
    ("rendition, 640 px", "/render/image/public/serasi-bench/photo.jpg?width=640&format=webp", 0.6, None),
];

/// # Errors
/// When a request fails, or nginx does not start.
pub async fn run(options: &Options, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let data_dir = &options.product.data_dir;
    let folder = data_dir.join("bench-nginx");
    fs::create_dir_all(folder.join("www"))?;
    fs::set_permissions(data_dir, fs::Permissions::from_mode(0o711))?;
    let nginx = Nginx::start(&options.nginx, &folder, options.nginx_port)?;
    for (name, bytes) in [("20k.webp", 20 * 1024), ("200k.webp", 200 * 1024)] {
        let mut content = vec![0; bytes];
        rand::rng().fill_bytes(&mut content);
        options.put(&format!("{BUCKET}/{name}"), "image/webp", content.into()).await?;
    }
    // Detailed enough that its rendition has the size of a photo's.
    let photo = RgbImage::from_fn(2000, 1500, |x, y| Rgb([(x / 8) as u8, (y / 6) as u8, (x * y / 97) as u8]));
    let mut jpeg = Vec::new();
    photo.write_with_encoder(JpegEncoder::new(&mut jpeg))?;
    options.put(&format!("{BUCKET}/photo.jpg"), "image/jpeg", jpeg.into()).await?;
    println!("{HEADER}");
    for case in CASES {
        println!("{}", measure(options, &nginx, case, broken).await.context(case.0)?);
    }
    Ok(())
}

async fn measure(
    options: &Options,
    nginx: &Nginx,
    (name, path, share, cpu): Case,
    broken: &mut Vec<String>,
) -> anyhow::Result<String> {
    let path = format!("/storage/v1{path}");
    let content = product::body(options.product.request(Method::GET, &path)).await?;
    nginx.serve(&content)?;
    let nginx_url = format!("http://{}", nginx.address);
    let [own, theirs] = ["storage.lua", "nginx.lua"].map(|file| Path::new(OUTPUT).join(file));
    for (script, url, request) in
        [(&own, &options.product.url, Request::get(path)), (&theirs, &nginx_url, Request::get("/file"))]
    {
        wrk::write_script(script, std::slice::from_ref(&request))?;
        let body = request.send(&options.product.http, url).await?;
        ensure!(body == content, "{} has other bytes", request.path);
        wrk::warm_up(url, script, CONNECTIONS, WARM_UP)?;
    }
    let mut comparison = Comparison::default();
    for _ in 0..options.rounds {
        comparison.measure(&options.product, &own, CONNECTIONS, options.seconds)?;
        let theirs = wrk::measure(&nginx_url, &theirs, CONNECTIONS, options.seconds)?;
        comparison.baseline.push(theirs.per_second());
    }
    let row = comparison.row(name, "nginx", share, cpu, broken);
    Ok(format!("| {name} ({} KB) | {row} |", content.len() / 1024))
}
