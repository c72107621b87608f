//! Misbehaving clients. They use a different address than the light load.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::{LocalBoxFuture, join_all};
use futures::{FutureExt, StreamExt};
use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::outcome::{Limits, NONE, Outcome};
use super::sampling::{Answer, Kind, sample};
use super::stage::Stage;
use super::system::resident_mb;
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
/// The address of the misbehaving clients.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const CONNECTIONS: usize = 2000;
const AT_ONCE: usize = 64;
const BODY: usize = 900_000;
/// Maximum memory in MB that may remain in use after the flood, and that may be used during it.
const KEPT: u64 = 40;
const PEAK: u64 = 600;
/// Enough concurrent sign-ins to occupy every hashing thread.
const SIGN_INS: usize = 16;
/// How long the process may take to return memory.
const GIVEN_BACK: Duration = Duration::from_secs(10);

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "silent-connections",
        about: "2,000 connections that send nothing, for 8 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| flooded(lab, silent).boxed_local(),
    },
    Fault {
        name: "unfinished-bodies",
        about: "2,000 bodies of 1 MB that stall at 0.9 MB, for 17 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| flooded(lab, unfinished).boxed_local(),
    },
    Fault {
        name: "slow-readers",
        about: "200 clients request 3 MB each and don't read the response, for 8 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| flooded(lab, unread).boxed_local(),
    },
    Fault {
        name: "expensive-patterns",
        about: "64 connections send requests with 20 or 60 regular expressions each, for 10 s",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| flooded(lab, patterns).boxed_local(),
    },
    Fault {
        name: "large-renders",
        about: "16 concurrent renders of a 25-megapixel picture to AVIF",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| flooded(lab, renders).boxed_local(),
    },
];

/// Runs the misbehaving clients, and returns the responses they got.
type Flood = for<'a> fn(&'a mut Stage) -> LocalBoxFuture<'a, anyhow::Result<String>>;

/// Uses a freshly started process, so that earlier faults don't affect its memory.
async fn flooded(lab: &mut SharedProducts<'_>, flood: Flood) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    stage.product.terminate().await?;
    stage.product.start_again().await?;
    for kind in Kind::ALL {
        stage.client.send(kind).await;
    }
    // Each hashing thread keeps its 19 MB, so all of them must have hashed before the first measurement.
    join_all((0..SIGN_INS).map(|_| stage.client.send(Kind::SignIn))).await;
    let (before, pid) = (stage.memory(), stage.product.pid());
    let highest = Arc::new(AtomicU64::new(before));
    let watched = Arc::clone(&highest);
    let watcher = tokio::spawn(async move {
        loop {
            watched.fetch_max(resident_mb(pid), Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut said = String::new();
    let outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                said = flood(stage).await?;
                Ok(())
            },
            async |_| Ok(()),
        )
        .await;
    tokio::time::sleep(GIVEN_BACK).await;
    watcher.abort();
    let (peak, after) = (highest.load(Ordering::Relaxed), stage.memory());
    let mut outcome = outcome?;
    outcome.note(format!("memory {before} → {peak} → {after} MB; {said}"));
    outcome.check(peak <= before + PEAK, format!("{peak} MB at the peak (limit {})", before + PEAK));
    outcome.check(after <= before + KEPT, format!("{after} MB kept (limit {})", before + KEPT));
    Ok(outcome)
}

async fn connect(port: u16) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().ok()?;
    // These clients never read the responses.
    socket.set_recv_buffer_size(4096).ok()?;
    socket.bind(SocketAddr::from((ADDRESS, 0))).ok()?;
    let connected = socket.connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    tokio::time::timeout(2 * SECOND, connected).await.ok()?.ok()
}

/// Opens many connections and sends the same bytes on each.
async fn open(port: u16, count: usize, head: &str, body: usize) -> Vec<TcpStream> {
    let body = vec![b' '; body];
    let one = async |_| {
        let mut stream = connect(port).await?;
        // A rejected connection is closed before everything is sent.
        let sending = async {
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(&body).await
        };
        let _ = tokio::time::timeout(3 * SECOND, sending).await;
        Some(stream)
    };
    let opened = futures::stream::iter(0..count).map(one).buffer_unordered(AT_ONCE);
    opened.filter_map(std::future::ready).collect().await
}

/// Number of connections that the product closed or responded to.
async fn given_up(streams: Vec<TcpStream>) -> usize {
    let closed = join_all(streams.into_iter().map(async |mut stream| {
        let read = tokio::time::timeout(Duration::from_millis(50), stream.read(&mut [0; 64])).await;
        read.is_ok()
    }));
    closed.await.into_iter().filter(|closed| *closed).count()
}

fn silent(stage: &mut Stage) -> LocalBoxFuture<'_, anyhow::Result<String>> {
    async {
        let streams = open(stage.product.port(), CONNECTIONS, "", 0).await;
        let opened = streams.len();
        tokio::time::sleep(8 * SECOND).await;
        Ok(format!("{opened} connected, the server closed {} of them", given_up(streams).await))
    }
    .boxed_local()
}

fn unfinished(stage: &mut Stage) -> LocalBoxFuture<'_, anyhow::Result<String>> {
    async {
        let head = format!(
            "POST /rest/v1/gigs HTTP/1.1\r\nhost: localhost\r\napikey: {}\r\ncontent-type: application/json\r\n\
             content-length: 1000000\r\n\r\n",
            stage.client.anon_key
        );
        let streams = open(stage.product.port(), CONNECTIONS, &head, BODY).await;
        let opened = streams.len();
        tokio::time::sleep(17 * SECOND).await;
        Ok(format!("{opened} connected, the server closed {} of them", given_up(streams).await))
    }
    .boxed_local()
}

fn unread(stage: &mut Stage) -> LocalBoxFuture<'_, anyhow::Result<String>> {
    async {
        let sql = stage.sql().await?;
        // An agency may have at most 500 gigs, and the load creates some too.
        let fill = "insert into app.gigs (agency_id, title, description, requirements)
            select (select id from app.agencies limit 1), 'large ' || number, repeat('x', 5000), repeat('x', 2000)
            from generate_series(1, 400) number";
        sql.batch_execute(fill).await?;
        let head = format!(
            "GET /rest/v1/gigs?select=*&title=like.large* HTTP/1.1\r\nhost: localhost\r\napikey: {}\r\n\
             authorization: Bearer {}\r\n\r\n",
            stage.client.anon_key,
            stage.client.agency().token
        );
        let streams = open(stage.product.port(), 200, &head, 0).await;
        let opened = streams.len();
        tokio::time::sleep(8 * SECOND).await;
        drop(streams);
        sql.batch_execute("delete from app.gigs where title like 'large %'").await?;
        Ok(format!("{opened} connected"))
    }
    .boxed_local()
}

fn patterns(stage: &mut Stage) -> LocalBoxFuture<'_, anyhow::Result<String>> {
    async {
        let http =
            reqwest::Client::builder().no_proxy().local_address(std::net::IpAddr::from(ADDRESS)).build()?;
        let database = stage.cluster()?.url();
        stage.product.seed(&database).await?;
        // The expressions match names that begin with different letters, so that none fails at its first
        // character.
        let filters: Vec<_> =
            (0..60).map(|number| format!("bio.imatch.\"([a-z]{{3,9}} )*x{number}y\"")).collect();
        let path = |count: usize| {
            format!(
                "{}/rest/v1/influencers?select=id&or=({})",
                stage.product.url(),
                filters[..count].join(",")
            )
        };
        let until = tokio::time::Instant::now() + 10 * SECOND;
        let flood = async |connection: usize| {
            // One more than the gateway accepts, and as many as it runs.
            let path = path(if connection.is_multiple_of(2) { 60 } else { 20 });
            let mut answers = std::collections::BTreeMap::<Answer, usize>::new();
            while tokio::time::Instant::now() < until {
                let request = http.get(&path).header("apikey", &stage.client.anon_key).timeout(15 * SECOND);
                let answer = sample(Kind::Read, request).await.answer;
                *answers.entry(answer).or_default() += 1;
                if !answer.is_good() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
            answers
        };
        let mut answers = std::collections::BTreeMap::<Answer, usize>::new();
        for one in join_all((0..64).map(flood)).await {
            for (answer, count) in one {
                *answers.entry(answer).or_default() += count;
            }
        }
        let answers: Vec<_> =
            answers.into_iter().map(|(answer, count)| format!("{answer} ×{count}")).collect();
        Ok(format!("responses to the flood: {}", answers.join(", ")))
    }
    .boxed_local()
}

fn renders(stage: &mut Stage) -> LocalBoxFuture<'_, anyhow::Result<String>> {
    async {
        let client = &stage.client;
        let picture = tokio::task::spawn_blocking(large_picture).await??;
        let path = client.picture_path("large").replace("/public/", "/");
        let stored = client.request(Method::POST, &path).bearer_auth(&client.agency().token);
        let stored =
            stored.header(CONTENT_TYPE, "image/png").header("x-upsert", "true").body(picture).send().await?;
        anyhow::ensure!(stored.status().is_success(), "storing the picture: {}", stored.text().await?);
        let path = client.picture_path("large").replace("/object/", "/render/image/");
        let render = |width: usize| {
            let request = client
                .request(Method::GET, &format!("{path}?format=avif&width={}&height=2000", 1800 + 10 * width));
            sample(Kind::Download, request)
        };
        let samples = join_all((0..16).map(render)).await;
        let longest = samples.iter().map(|sample| sample.took).max().unwrap_or_default();
        let outcome = Outcome { samples, ..Outcome::default() };
        let (with, all) = outcome.retry_after();
        anyhow::ensure!(with == all, "{} of {all} rejected renders have no Retry-After", all - with);
        Ok(format!("the renders: {}, longest {:.1} s", outcome.answers(), longest.as_secs_f64()))
    }
    .boxed_local()
}

/// 5,000 × 5,000 pixels in a small file.
fn large_picture() -> anyhow::Result<Vec<u8>> {
    const SIDE: u32 = 5000;
    let row: Vec<u8> = (0..SIDE).flat_map(|x| [x.to_le_bytes()[0], x.to_le_bytes()[1] * 12, 90]).collect();
    let pixels = row.repeat(SIDE as usize);
    let mut png = Vec::new();
    PngEncoder::new(&mut png).write_image(&pixels, SIDE, SIDE, ExtendedColorType::Rgb8)?;
    Ok(png)
}
