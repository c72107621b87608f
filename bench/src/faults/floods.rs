//! Misbehaving clients. They use a different address than the light load.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, timeout};

use super::outcome::Outcome;
use super::sampling::{Kind, sample};
use super::stage::Stage;

const SECOND: Duration = Duration::from_secs(1);
/// The address of the misbehaving clients.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const AT_ONCE: usize = 64;
const PATTERNS: usize = 64;
const RENDERS: usize = 16;

/// Returns the responses that the clients got.
///
/// # Errors
/// When it can't be prepared.
pub async fn run(flood: &str, stage: &mut Stage) -> anyhow::Result<String> {
    let (port, key) = (stage.product.port, stage.client.anon_key.clone());
    Ok(match flood {
        "idle" => open(port, 300, "", 0, 4).await,
        "silent" => open(port, 2000, "", 0, 8).await,
        "unfinished" => {
            let head = format!(
                "POST /rest/v1/gigs HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\n\
                 content-type: application/json\r\ncontent-length: 1000000\r\n\r\n"
            );
            open(port, 2000, &head, 900_000, 17).await
        }
        "unread" => {
            // An agency may have at most 500 gigs, and the load creates some too.
            let sql = stage.sql().await?;
            let fill = "insert into app.gigs (agency_id, title, description, requirements)
                select (select id from app.agencies limit 1), 'large ' || number, repeat('x', 5000), repeat('x', 2000)
                from generate_series(1, 400) number";
            sql.batch_execute(fill).await?;
            let head = format!(
                "GET /rest/v1/gigs?select=*&title=like.large* HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\n\
                 authorization: Bearer {}\r\n\r\n",
                stage.client.agency.token
            );
            let said = open(port, 200, &head, 0, 8).await;
            sql.batch_execute("delete from app.gigs where title like 'large %'").await?;
            said
        }
        "patterns" => patterns(stage).await?,
        "renders" => renders(stage).await?,
        _ => anyhow::bail!("there is no flood {flood}"),
    })
}

async fn connect(port: u16) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().ok()?;
    // These clients never read the responses.
    socket.set_recv_buffer_size(4096).ok()?;
    socket.bind(SocketAddr::from((ADDRESS, 0))).ok()?;
    let connected = socket.connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    timeout(2 * SECOND, connected).await.ok()?.ok()
}

/// Opens many connections, sends the same bytes on each, and leaves them open.
async fn open(port: u16, count: usize, head: &str, body: usize, seconds: u64) -> String {
    let body = vec![b' '; body];
    let one = async |_| {
        let mut stream = connect(port).await?;
        // A rejected connection is closed before everything is sent.
        let sending = async {
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(&body).await
        };
        let _ = timeout(3 * SECOND, sending).await;
        Some(stream)
    };
    let opened = futures::stream::iter(0..count).map(one).buffer_unordered(AT_ONCE);
    let streams: Vec<TcpStream> = opened.filter_map(std::future::ready).collect().await;
    sleep(Duration::from_secs(seconds)).await;
    let opened = streams.len();
    let closed =
        join_all(streams.into_iter().map(async |mut stream| {
            timeout(Duration::from_millis(50), stream.read(&mut [0; 64])).await.is_ok()
        }));
    let closed = closed.await.into_iter().filter(|closed| *closed).count();
    format!("{opened} connected, the server closed or answered {closed} of them")
}

/// Requests with one pattern more than the gateway accepts, and with as many as it runs.
async fn patterns(stage: &mut Stage) -> anyhow::Result<String> {
    let http = reqwest::Client::builder().no_proxy().local_address(IpAddr::from(ADDRESS)).build()?;
    stage
        .shell(&format!("DATABASE_URL=\"$DB\" '{}' seed --influencers 5000", stage.product.program()))
        .await?;
    // The expressions match names that begin with different letters, so that none fails at its first character.
    let filters: Vec<_> =
        (0..60).map(|number| format!("bio.imatch.\"([a-z]{{3,9}} )*x{number}y\"")).collect();
    let path = |count: usize| {
        format!("{}/rest/v1/influencers?select=id&or=({})", stage.product.url(), filters[..count].join(","))
    };
    let until = Instant::now() + 10 * SECOND;
    let flood = async |connection: usize| {
        let path = path(if connection.is_multiple_of(2) { 60 } else { 20 });
        let mut answers = Vec::new();
        while Instant::now() < until {
            let request = http.get(&path).header("apikey", &stage.client.anon_key).timeout(15 * SECOND);
            let answer = sample(Kind::Read, request).await;
            if !answer.answer.is_good() {
                sleep(Duration::from_millis(100)).await;
            }
            answers.push(answer);
        }
        answers
    };
    let samples = join_all((0..PATTERNS).map(flood)).await.into_iter().flatten().collect();
    Ok(format!("responses to the flood: {}", Outcome { samples, ..Outcome::default() }.answers()))
}

async fn renders(stage: &mut Stage) -> anyhow::Result<String> {
    let client = &stage.client;
    let picture = tokio::task::spawn_blocking(large_picture).await??;
    let path = client.picture_path("large").replace("/public/", "/");
    let upload =
        client.request(Method::POST, &path).bearer_auth(&client.agency.token).header("x-upsert", "true");
    upload.header("content-type", "image/png").body(picture).send().await?.error_for_status()?;
    let path = client.picture_path("large").replace("/object/", "/render/image/");
    let render = |number: usize| {
        let path = format!("{path}?format=avif&width={}&height=2000", 1800 + 10 * number);
        sample(Kind::Download, client.request(Method::GET, &path))
    };
    let outcome = Outcome { samples: join_all((0..RENDERS).map(render)).await, ..Outcome::default() };
    let (with, all) = outcome.retry_after();
    anyhow::ensure!(with == all, "{} of {all} rejected renders have no Retry-After", all - with);
    Ok(format!("the renders: {}, longest {}", outcome.answers(), outcome.longest_text()))
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
