//! `serasi up`: starts everything on one port. If a part fails to start, the parts already started are
//! stopped.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use anyhow::{Context, bail};
use axum::Router;
use clap::Args;
use db::Contents;
use mail::Captured;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, stop_signal};
use platform::measure::measured;
use platform::progress::Progress;
use tokio::net::TcpListener;

use crate::availability::{self, DiskFull};
use crate::background::{Background, Disk};
use crate::backup::Schedule;
use crate::data_dir::{self, Running};
use crate::database::temporary_login::imported_triggers;
use crate::database::{DEVELOPER, Database, LOGINS, unprotected};
use crate::front::Front;
use crate::keys::Keys;
use crate::reachable::until_reachable;
use crate::services::Services;
use crate::{DataDir, bare, frontend, import_owner, ready, services, storage_check, upgrade};

#[derive(Args)]
pub struct Options {
    /// The port to serve on
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,
    /// The address to listen on; 0.0.0.0 accepts connections from other machines
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    #[command(flatten)]
    data_dir: DataDir,
    /// Don't add the demo data to an empty database
    #[arg(long)]
    no_demo: bool,
    /// Serve the APIs only, without the pages
    #[arg(long)]
    api_only: bool,
    /// Start the backend without the marketplace. Only for a new data directory or database, which stays so
    #[arg(long)]
    bare: bool,
}

/// The running product. Dropping it stops everything, PostgreSQL last.
struct Started {
    front: Front,
    admin: Option<Front>,
    services: Services,
    database: Database,
    disk_full: DiskFull,
    background: Background,
    _data_dir: data_dir::DataDir,
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let mut stop = pin!(stop_signal());
    let mut started = tokio::select! {
        started = start(options, env) => started?,
        () = &mut stop => return Ok(()),
    };
    let outcome = tokio::select! {
        served = started.front.ended() => return served,
        () = &mut stop => Ok(()),
        reason = started.database.supervise(&started.disk_full) => {
            Err(reason.context("the database keeps failing; see postgres.log in the data directory"))
        }
    };
    started.front.stop();
    started.background.stop().await;
    if let Some(admin) = &mut started.admin {
        admin.stop();
        let _ = admin.ended().await;
    }
    started.front.ended().await?;
    started.services.stop().await;
    outcome
}

async fn start(options: &Options, env: &Env) -> anyhow::Result<Started> {
    let progress = Progress::new();
    let held = data_dir::DataDir::lock(&options.data_dir.data_dir)?;
    let backups = Schedule::from_env(env, held.path())?;
    let (mut front, mut admin, address) = open(options, env).await?;
    let keys = Keys::load(env, &held)?;

    let wanted = options.bare.then_some(Contents::Backend);
    let open = async || database(&held, env, &keys, wanted, &progress).await;
    let (database, contents) = until_reachable(open, || wait(&mut front, &mut admin)).await?;

    let url = format!("http://{}", address_for_browsers(address));
    let site_url = env.optional("SITE_URL").unwrap_or(&url).trim_end_matches('/').to_owned();
    let step = progress.step("Starting the services");
    // Only this process delivers the embedded database's mail; an external one may have another service that does.
    let secret = database.is_embedded().then(|| held.secret("mail-secret")).transpose()?;
    let captured = secret.map(|secret| Captured::new(&secret));
    let storage_dir = storage_check::folder(env, held.path());
    let env = &env.clone().with("SITE_URL", &site_url).with("STORAGE_DIR", storage_dir.display().to_string());
    let services = services::start(env, &database, &keys, &url, contents, captured).await?;
    step.done();
    let (disk_full, mut demo_accounts) = (DiskFull::default(), None);
    let mut app = services.router(&disk_full);
    if contents == Contents::Marketplace {
        if !options.api_only {
            let pages = frontend::pages(&progress).await?;
            let site = site::app(&pages, &keys.anon, &site_url, services.gateway().router())?;
            app = app.merge(measured("pages", "", site));
        }
        demo_accounts = demo(options, &database, &app, &keys, &progress).await?;
    } else if !options.api_only {
        app = app.merge(measured("pages", "", bare::index()));
    }
    let warnings = unprotected(&mut database.connect().await?).await?;
    warnings.iter().for_each(|found| tracing::warn!("{found}"));
    held.announce(&running(env, &url, services.mail_url(), &keys, &database)?)?;
    front.answer_with(app);
    if let Some(admin) = &mut admin {
        admin.answer_with(services.admin_router().await);
    }
    let background = Background::start(&database, backups.map(Arc::new), disks(env, &database, held.path()));
    announce_ready();
    ready::say(&url, demo_accounts.as_deref(), services.mail_url());
    Ok(Started { front, admin, services, database, disk_full, background, _data_dir: held })
}

/// Responds until the database is reachable. The service manager's other services need not wait for that.
fn wait(front: &mut Front, admin: &mut Option<Front>) {
    announce_ready();
    front.answer_with(availability::waiting());
    if let Some(admin) = admin {
        admin.answer_with(availability::waiting_admin());
    }
}

/// Adds the demo data to a database without accounts. Returns what `ready` says about the demo accounts.
async fn demo(
    options: &Options,
    database: &Database,
    app: &Router,
    keys: &Keys,
    progress: &Progress,
) -> anyhow::Result<Option<String>> {
    let mut connection = database.connect().await?;
    if !options.no_demo && imported_triggers(&mut connection).await?.is_empty() {
        site::demo::add(&mut connection, app, &keys.service_role, progress).await?;
    }
    Ok(site::demo::accounts(&mut connection).await?)
}

/// The disks whose space the health page shows.
fn disks(env: &Env, database: &Database, data_dir: &Path) -> Vec<Disk> {
    let mut disks = Vec::new();
    if database.is_embedded() {
        disks.push(("disk database", data_dir.join("postgres")));
    }
    if env.optional("S3_BUCKET").is_none() {
        disks.push(("disk images", storage_check::folder(env, data_dir)));
    }
    disks
}

/// The listeners for requests and for operators, opened first so that a port in use is reported immediately. Returns the address
/// for requests, too.
async fn open(options: &Options, env: &Env) -> anyhow::Result<(Front, Option<Front>, SocketAddr)> {
    let limits = Limits::from_env(env)?;
    let listener = listen(env, Purpose::Requests, options.host, options.port, "--port").await?;
    let address = listener.local_addr()?;
    let mut admin = None;
    if env.optional("ADMIN_PORT").is_some() {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let port = env.parse_or("ADMIN_PORT", 0)?;
        let listener = listen(env, Purpose::Admin, host, port, "ADMIN_PORT").await?;
        admin = Some(Front::new(listener, limits.for_operators()));
    }
    Ok((Front::new(listener, limits), admin, address))
}

/// What `serasi status` shows.
fn running(
    env: &Env,
    url: &str,
    mail_url: Option<&str>,
    keys: &Keys,
    database: &Database,
) -> anyhow::Result<Running> {
    Ok(Running {
        api_url: url.to_owned(),
        anon_key: keys.anon.clone(),
        service_role_key: keys.service_role.clone(),
        jwt_secret: keys.jwt.secret().expose().to_owned(),
        db_url: database.admin_url().expose().to_owned(),
        developer_db_url: database.developer_url(keys)?.expose().to_owned(),
        db_schemas: services::schemas(env).to_owned(),
        mail_url: mail_url.map(str::to_owned),
    })
}

async fn database(
    held: &data_dir::DataDir,
    env: &Env,
    keys: &Keys,
    wanted: Option<Contents>,
    progress: &Progress,
) -> anyhow::Result<(Database, Contents)> {
    upgrade::postgres_if_needed(held, env, progress).await?;
    let database = Database::start(held, env, progress).await?;
    // First, because a migration may change rows with imported triggers.
    import_owner::lock_out(&database).await?;
    let contents = database.migrate_to(wanted, progress).await?;
    let logins = [&LOGINS[..], &[DEVELOPER]].concat();
    database.set_login_passwords(&logins, |login| keys.login_password(login)).await?;
    database.log_no_client_errors().await?;
    Ok((database, contents))
}

/// `setting` chooses the port.
pub async fn listen(
    env: &Env,
    purpose: Purpose,
    host: IpAddr,
    port: u16,
    setting: &str,
) -> anyhow::Result<TcpListener> {
    match listening::open(env, purpose, host, port).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            bail!("port {port} is in use: stop what listens there, or choose another one with {setting}")
        }
        Err(error) => Err(error).with_context(|| format!("{host}:{port} can't be bound")),
    }
}

/// Tells a service manager that this program is ready, as systemd's `Type=notify` requires.
fn announce_ready() {
    if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Ready]) {
        tracing::warn!(%error, "can't tell the service manager that the program is ready");
    }
}

fn address_for_browsers(address: SocketAddr) -> String {
    if address.ip().is_unspecified() { format!("127.0.0.1:{}", address.port()) } else { address.to_string() }
}
