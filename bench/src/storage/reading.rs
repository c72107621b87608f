//! Reads public objects and a cached resized image, alternating with nginx, which serves the same bytes.

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use rand::RngCore;

use super::client::BUCKET;
use super::nginx::Nginx;
use super::{Bench, Options, Report, line, photo};
use crate::http::{Connection, Request};
use crate::open_loop::Load;
use crate::speed::report::{at_least, at_most};
use crate::speed::wrk;
use crate::statistics::{median, percentile};

/// Seconds of warm-up before the first round, and at the beginning of a latency measurement.
const WARM_UP: u64 = 2;
/// The limit for p99 divided by p50, at half load.
const MOST_TAIL: f64 = 3.0;

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

#[derive(Default)]
struct Rounds {
    storage: Vec<f64>,
    nginx: Vec<f64>,
    cpu: Vec<f64>,
    latencies: Vec<f64>,
    /// Latencies of nginx at the same rate.
    nginx_latencies: Vec<f64>,
}

const HEADER: &str = "\
| file | storage | nginx | ratio | own CPU | p50 at half load | p99 | nginx at the same rate |
|---|---|---|---|---|---|---|---|";

fn cases() -> [Case; 3] {
    let public = |name: &str| format!("/object/public/{BUCKET}/{name}");
    [
        Case {
            name: "20 KB, public",
            file: "20k.webp",
            path: public("20k.webp"),
            share: 0.6,
            cpu: Some(0.02),
        },
        Case { name: "200 KB, public", file: "200k.webp", path: public("200k.webp"), share: 0.8, cpu: None },
        Case {
            name: "rendition, 640 px",
            file: "640.webp",
            path: format!("/render/image/public/{BUCKET}/photo.jpg?width=640&format=webp"),
            share: 0.6,
            cpu: None,
        },
    ]
}

/// # Errors
/// When a request fails, or nginx does not start.
pub async fn run(bench: &Bench<'_>, report: &mut Report) -> anyhow::Result<()> {
    let folder = bench.options.product.data_dir.join("bench-nginx");
    fs::create_dir_all(folder.join("www"))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&bench.options.product.data_dir, fs::Permissions::from_mode(0o711))?;
    }
    let nginx = Nginx::start(&bench.options.nginx, &folder, bench.options.nginx_port)?;
    for (name, bytes) in [("20k.webp", 20 * 1024), ("200k.webp", 200 * 1024)] {
        let mut content = vec![0; bytes];
        rand::rng().fill_bytes(&mut content);
        bench.client.put(&format!("{BUCKET}/{name}"), "image/webp", content.into()).await?;
    }
    let photo = Bytes::from(photo::jpeg(2000, 1500, 1)?);
    bench.client.put(&format!("{BUCKET}/photo.jpg"), "image/jpeg", photo).await?;
    report.show(HEADER);
    for case in cases() {
        let content = bench.client.get(&case.path).await?;
        nginx.add(case.file, &content)?;
        let rounds = measure(bench, &nginx, &case, content.len()).context(case.name)?;
        show(report, &case, &rounds, content.len());
    }
    if let Some(megabytes) = bench.product.memory_megabytes() {
        report.show(&format!("\nMemory after the load: {megabytes:.1} MB"));
    }
    Ok(())
}

fn request(path: &str) -> Request {
    Request { method: "GET", path: path.to_owned(), headers: Vec::new(), body: String::new() }
}

fn measure(bench: &Bench<'_>, nginx: &Nginx, case: &Case, bytes: usize) -> anyhow::Result<Rounds> {
    let options = bench.options;
    let own = request(&format!("/storage/v1{}", case.path));
    let theirs = request(&format!("/{}", case.file));
    let file = |kind: &str| options.raw.join(format!("{}.{kind}", case.file));
    let (own_script, their_script) = (file("storage.lua"), file("nginx.lua"));
    wrk::write_script(&own_script, std::slice::from_ref(&own))?;
    wrk::write_script(&their_script, std::slice::from_ref(&theirs))?;
    for (address, request) in [(bench.product.address, &own), (nginx.address, &theirs)] {
        let mut connection = Connection::open(address)?;
        let status = connection.exchange(&request.bytes(address))?;
        ensure!(
            status == 200 && connection.body().len() == bytes,
            "{} returned {status}, or an unexpected length",
            request.path
        );
    }
    let (product, connections) = (&bench.product, options.connections);
    wrk::warm_up(product.address, &own_script, connections, WARM_UP)?;
    wrk::warm_up(nginx.address, &their_script, connections, 1)?;
    let mut rounds = Rounds::default();
    for round in 1..=options.rounds {
        let before = product.cpu_seconds();
        let measured = wrk::measure(product.address, &own_script, connections, options.seconds)?;
        let cpu = product.cpu_seconds().zip(before).map(|(after, before)| after - before);
        rounds.storage.push(measured.per_second());
        rounds.cpu.extend(cpu.map(|seconds| seconds * 1000.0 / measured.requests));
        fs::write(file(&format!("{round}.storage.txt")), &measured.output)?;
        let measured = wrk::measure(nginx.address, &their_script, connections, options.seconds)?;
        rounds.nginx.push(measured.per_second());
        fs::write(file(&format!("{round}.nginx.txt")), &measured.output)?;
    }
    let rate = median(&rounds.storage) / 2.0;
    rounds.latencies = latencies(options, product.address, &own, rate)?;
    rounds.nginx_latencies = latencies(options, nginx.address, &theirs, rate)?;
    Ok(rounds)
}

/// The latency of each response in milliseconds, at a constant rate and after a warm-up.
fn latencies(
    options: &Options,
    address: SocketAddr,
    request: &Request,
    rate: f64,
) -> anyhow::Result<Vec<f64>> {
    let load = Load {
        address,
        requests: vec![request.bytes(address)],
        per_second: rate,
        connections: options.connections,
        length: Duration::from_secs(WARM_UP + options.seconds),
    };
    let answers = load.run()?;
    let first = answers.iter().map(|answer| answer.due).min();
    let counts = |due| first.is_some_and(|first| due >= first + Duration::from_secs(WARM_UP));
    Ok(answers.iter().filter(|answer| counts(answer.due)).map(|answer| answer.took).collect())
}

fn show(report: &mut Report, case: &Case, rounds: &Rounds, bytes: usize) {
    let mut broken = Vec::new();
    let (storage, nginx) = (median(&rounds.storage), median(&rounds.nginx));
    let ratio = at_least("share of nginx", storage / nginx, Some(case.share), &mut broken);
    let shown = |value: f64| format!("{value:.4} ms");
    let cpu = at_most("own CPU per request", median(&rounds.cpu), case.cpu, shown, &mut broken);
    let (p50, p99) = (median(&rounds.latencies), percentile(&rounds.latencies, 0.99));
    let theirs = percentile(&rounds.nginx_latencies, 0.99) / median(&rounds.nginx_latencies);
    let shown = |value: f64| format!("{value:.1} × p50");
    let tail = at_most("p99", p99 / p50, Some(MOST_TAIL), shown, &mut broken);
    report.show(&format!(
        "| {} ({} KB) | {storage:.0}/s | {nginx:.0}/s | {ratio} | {cpu} | {p50:.2} ms | {p99:.2} ms, {tail} | {theirs:.1} × p50 |",
        case.name,
        bytes / 1024,
    ));
    report.raw.push_str(&format!("{}\n", case.name));
    for (what, values, decimals) in [
        ("storage, requests/s", &rounds.storage, 0),
        ("nginx, requests/s", &rounds.nginx, 0),
        ("own CPU, ms per request", &rounds.cpu, 4),
    ] {
        report.raw.push_str(&line(what, values, decimals));
    }
    for (of, latencies) in [("storage", &rounds.latencies), ("nginx", &rounds.nginx_latencies)] {
        let shares = [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| percentile(latencies, share));
        report.raw.push_str(&line(&format!("{of}, latency p50 p90 p99 p99.9 max, ms"), &shares, 3));
    }
    report.breaks(case.name, broken);
}
