//! `serasi backup --watch`: makes the backups of a database that another program serves, until it is stopped.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, ensure};
use platform::admin::readiness::Readiness;
use platform::admin::{self, AdminPort};
use platform::env::Env;
use platform::http::server::{Limits, stop_signal};
use platform::progress::Progress;

use crate::background::Background;
use crate::backup::{Options, Schedule};
use crate::data_dir;
use crate::database::Database;

/// # Errors
/// When a setting is malformed, or when the embedded database is not running.
pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let folder = &options.data_dir.data_dir;
    let env = match &options.to {
        Some(to) => env.clone().with("BACKUP_TO", to),
        None => env.clone(),
    };
    let schedule = Schedule::from_env(&env, folder)?;
    let schedule = Arc::new(schedule.context("say where the backups go: set BACKUP_TO, or add --to")?);
    ensure!(
        env.optional("DATABASE_URL").is_some() || data_dir::running(folder).is_some(),
        "there is no database to watch: set DATABASE_URL. `serasi up` backs up its data directory itself"
    );
    // The schedule retries by itself.
    let (database, _) = Database::find(folder, &env, &Progress::new()).await?;
    let host: IpAddr = env.parse_or("HOST", IpAddr::from([127, 0, 0, 1]))?;
    let admin = AdminPort::open(&env, host).await?;
    let limits = Limits::from_env(&env)?;
    println!("ready");
    let background = Background::start(&database, Some(Arc::clone(&schedule)), Vec::new());
    tokio::select! {
        () = stop_signal() => (),
        served = async {
            admin.serve(|| admin_router(schedule), &limits, std::future::pending()).await?;
            std::future::pending().await
        } => return served,
    }
    background.stop().await;
    Ok(())
}

fn admin_router(schedule: Arc<Schedule>) -> axum::Router {
    let readiness = Readiness::new(move || {
        let ready = schedule.is_ready.load(Ordering::Relaxed);
        async move { if ready { Ok(()) } else { Err("the database can't be reached") } }
    });
    admin::router(readiness, || ())
}
