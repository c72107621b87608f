//! Reads public objects and a cached resized image, alternating with nginx, which serves the same bytes.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, ensure};
use bytes::Bytes;
use rand::RngCore;

use super::client::BUCKET;
use super::nginx::Nginx;
use super::{Bench, photo};
use crate::statistics::median;
use crate::wrk::{self, Request};
use crate::{machine, report};

const WARM_UP: u64 = 2;
const HEADER: &str = "\
| file | storage | nginx | ratio | own CPU |
|---|---|---|---|---|";

struct Case {
    name: &'static str,
    /// Path below nginx's root.
    file: &'static str,
    /// Path below `/storage/v1`.
    path: String,
    /// The lowest ratio of the throughput to nginx's.
    share: f64,
    /// The limit for CPU time per request, in milliseconds.
    cpu: Option<f64>,
}

fn cases() -> [Case; 3] {
    let case = |name, file, path: &str, share, cpu| Case { name, file, path: path.to_owned(), share, cpu };
    let (small, large) =
        (format!("/object/public/{BUCKET}/20k.webp"), format!("/object/public/{BUCKET}/200k.webp"));
    let rendition = format!("/render/image/public/{BUCKET}/photo.jpg?width=640&format=webp");
    [
        case("20 KB, public", "20k.webp", &small, 0.6, Some(0.02)),
        case("200 KB, public", "200k.webp", &large, 0.8, None),
        case("rendition, 640 px", "640.webp", &rendition, 0.6, None),
    ]
}

/// # Errors
/// When a request fails, or nginx does not start.
pub async fn run(bench: &Bench<'_>, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let data_dir = &bench.options.product.data_dir;
    let folder = data_dir.join("bench-nginx");
    fs::create_dir_all(folder.join("www"))?;
    fs::set_permissions(data_dir, fs::Permissions::from_mode(0o711))?;
    let nginx = Nginx::start(&bench.options.nginx, &folder, bench.options.nginx_port)?;
    for (name, bytes) in [("20k.webp", 20 * 1024), ("200k.webp", 200 * 1024)] {
        let mut content = vec![0; bytes];
        rand::rng().fill_bytes(&mut content);
        bench.client.put(&format!("{BUCKET}/{name}"), "image/webp", content.into()).await?;
    }
    let photo = Bytes::from(photo::jpeg(2000, 1500, 1)?);
    bench.client.put(&format!("{BUCKET}/photo.jpg"), "image/jpeg", photo).await?;
    println!("{HEADER}");
    for case in cases() {
        let content = bench.client.get(&case.path).await?;
        nginx.add(case.file, &content)?;
        println!("{}", measure(bench, &nginx, &case, content.len(), broken).await.context(case.name)?);
    }
    println!("\nMemory after the load: {:.1} MB", machine::proportional_megabytes(bench.product.pid));
    Ok(())
}

async fn measure(
    bench: &Bench<'_>,
    nginx: &Nginx,
    case: &Case,
    bytes: usize,
    broken: &mut Vec<String>,
) -> anyhow::Result<String> {
    let options = bench.options;
    let (url, nginx_url) = (&bench.product.url, format!("http://{}", nginx.address));
    let file = |kind: &str| options.raw.join(format!("{}.{kind}.lua", case.file));
    let (own, theirs) = (file("storage"), file("nginx"));
    let requests =
        [Request::get(format!("/storage/v1{}", case.path)), Request::get(format!("/{}", case.file))];
    for ((script, url), request) in [(&own, url), (&theirs, &nginx_url)].into_iter().zip(&requests) {
        wrk::write_script(script, std::slice::from_ref(request))?;
        let body = request.send(&reqwest::Client::new(), url).await?;
        ensure!(body.len() == bytes, "{} has {} bytes, not {bytes}", request.path, body.len());
        wrk::warm_up(url, script, options.connections, WARM_UP)?;
    }
    let (mut storage, mut baseline, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let before = machine::cpu_seconds(bench.product.pid);
        let measured = wrk::measure(url, &own, options.connections, options.seconds)?;
        let spent = machine::cpu_seconds(bench.product.pid).zip(before).map(|(after, before)| after - before);
        storage.push(measured.per_second());
        cpu.extend(spent.map(|seconds| seconds * 1000.0 / measured.requests));
        baseline.push(wrk::measure(&nginx_url, &theirs, options.connections, options.seconds)?.per_second());
    }
    let (storage, baseline) = (median(&storage), median(&baseline));
    let ratio =
        report::at_least(&format!("{}, of nginx", case.name), storage / baseline, Some(case.share), broken);
    let shown = |value: f64| format!("{value:.4} ms");
    let cpu = report::at_most(&format!("{}, own CPU", case.name), median(&cpu), case.cpu, shown, broken);
    let size = bytes / 1024;
    Ok(format!("| {} ({size} KB) | {storage:.0}/s | {baseline:.0}/s | {ratio} | {cpu} |", case.name))
}
