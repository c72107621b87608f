//! `serasi up`: everything on one port. Nothing is left half-started: what was begun is stopped again
//! when a later part fails.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::Router;
use clap::Args;
use platform::env::Env;
use platform::http::server::{Limits, serve, stop_signal};
use tokio::net::TcpListener;

use crate::data_dir::{self, Running};
use crate::database::Database;
use crate::keys::Keys;
use crate::progress::Progress;
use crate::services::Services;
use crate::{DataDir, demo, frontend, ready, services, site};

#[derive(Args)]
pub struct Options {
    /// The port to serve on
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    #[command(flatten)]
    data_dir: DataDir,
    /// Leave an empty database empty
    #[arg(long)]
    no_demo: bool,
    /// Serve no pages: for working on the frontend with `npm run dev`
    #[arg(long)]
    api_only: bool,
}

/// A started product; dropping it stops everything, PostgreSQL last.
struct Started {
    listener: TcpListener,
    app: Router,
    admin: Option<(TcpListener, Router)>,
    services: Services,
    database: Database,
    has_demo: bool,
    url: String,
    _data_dir: data_dir::DataDir,
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let mut stop = pin!(stop_signal());
    let limits = Limits::from_env(env)?;
    let mut started = tokio::select! {
        started = start(options, env) => started?,
        () = &mut stop => return Ok(()),
    };
    ready::say(&started.url, started.has_demo, started.services.shows_mails());
    let (stopping, stopped) = tokio::sync::watch::channel(false);
    let admin = started.admin.take().map(|(listener, app)| {
        tokio::spawn(serve(listener, app, limits.for_operators(), told(stopped.clone())))
    });
    let mut serving = pin!(serve(started.listener, started.app, limits, told(stopped)));
    let outcome = tokio::select! {
        served = &mut serving => return Ok(served?),
        () = &mut stop => Ok(()),
        () = death_of(&mut started.database) => Err(anyhow::anyhow!("PostgreSQL ended by itself; its log is postgres.log in the data directory")),
    };
    let _ = stopping.send(true);
    serving.await?;
    if let Some(admin) = admin {
        let _ = admin.await;
    }
    started.services.stop().await;
    outcome
}

async fn start(options: &Options, env: &Env) -> anyhow::Result<Started> {
    let progress = Progress::new();
    let held = data_dir::DataDir::lock(&options.data_dir.data_dir)?;
    let listener = listen(options.host, options.port).await?;
    let admin_port = env.optional("ADMIN_PORT").map(|_| env.parse_or("ADMIN_PORT", 0_u16)).transpose()?;
    let admin_listener = match admin_port {
        Some(port) => Some(listen(IpAddr::V4(Ipv4Addr::LOCALHOST), port).await?),
        None => None,
    };
    let keys = Keys::load(env, &held)?;

    // The database and the pages need nothing of each other.
    let pages = async {
        match options.api_only {
            true => Ok(None),
            false => frontend::build(&progress).await.map(Some),
        }
    };
    let (database, pages) = tokio::try_join!(database(&held, env, &keys, &progress), pages)?;

    let url = format!("http://{}", address_for_browsers(listener.local_addr()?));
    let site_url = env.optional("SITE_URL").unwrap_or(&url).trim_end_matches('/').to_owned();
    let step = progress.step("Starting the services");
    let services = services::start(env, &database, &keys, held.path(), &url, &site_url).await?;
    step.done();
    let mut app = services.router();
    if let Some(folder) = pages {
        app = app.merge(site::app(&folder, &keys.anon, &site_url, services.gateway())?);
    }

    let mut connection = database.connect().await?;
    let has_demo = demo::offer(&mut connection, &app, &keys, !options.no_demo, &progress).await?;
    held.announce(&Running {
        api_url: url.clone(),
        anon_key: keys.anon.clone(),
        service_role_key: keys.service_role.clone(),
        jwt_secret: keys.jwt.secret().expose().to_owned(),
        db_url: database.admin_url().expose().to_owned(),
    })?;
    let admin = admin_listener.map(|listener| (listener, services.admin_router()));
    Ok(Started { listener, app, admin, services, database, has_demo, url, _data_dir: held })
}

async fn database(
    held: &data_dir::DataDir,
    env: &Env,
    keys: &Keys,
    progress: &Progress,
) -> anyhow::Result<Database> {
    let database = Database::start(held, env, progress).await?;
    database.migrate(progress).await?;
    database.set_login_passwords(|login| keys.login_password(login)).await?;
    Ok(database)
}

pub async fn listen(host: IpAddr, port: u16) -> anyhow::Result<TcpListener> {
    match TcpListener::bind((host, port)).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            bail!("port {port} is taken by another program: stop it, or start with --port and another number")
        }
        Err(error) => Err(error).with_context(|| format!("{host}:{port} can't be listened at")),
    }
}

fn address_for_browsers(address: SocketAddr) -> String {
    if address.ip().is_unspecified() { format!("127.0.0.1:{}", address.port()) } else { address.to_string() }
}

/// Completes when the switch is turned.
async fn told(mut switch: tokio::sync::watch::Receiver<bool>) {
    let _ = switch.wait_for(|stop| *stop).await;
}

async fn death_of(database: &mut Database) {
    while database.is_alive() {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
