//! `cargo xtask dev`: Serasi on one port, with reload on change. Vite serves the pages with hot reload and
//! proxies requests to the services. Changed Rust is rebuilt and the services are restarted; changed
//! functions, views and policies are re-applied to the running database.

mod changes;
mod pages;
mod services;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::pin::pin;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use sqlx::Connection;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use crate::{frontend, run};
use changes::{Action, Known};
use pages::Pages;
use services::{Services, say};

#[derive(Args)]
pub struct Options {
    /// The port to serve on
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,
    /// Folder with the database and the images
    #[arg(long, value_name = "DIR", default_value = ".serasi")]
    data_dir: PathBuf,
}

/// # Errors
/// When something is missing, or the first build or start fails. Later failures are shown, and the running
/// services continue.
pub fn run(options: &Options) -> anyhow::Result<()> {
    check_port(options.port)?;
    frontend::install()?;
    run::block_on(follow(options))
}

fn check_port(port: u16) -> anyhow::Result<()> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bail!("port {port} is in use: stop what listens there, or choose another one with --port")
        }
        Err(error) => bail!("port {port} can't be used ({error}): choose another one with --port"),
    }
}

async fn follow(options: &Options) -> anyhow::Result<()> {
    let root = run::root();
    let (sender, mut changed) = mpsc::unbounded_channel();
    let mut known = Known::now();
    let _watcher = changes::watch(&root, sender)?;
    services::build().await?;
    let mut services = Services::start(options.port, &root.join(&options.data_dir)).await?;
    let mut pages = Pages::start(options.port, &services).await?;
    say("dev", &format!("open http://127.0.0.1:{}; Ctrl-C stops everything", options.port));
    // A single future for the whole run, so that a signal during a build is not lost.
    let mut stop = pin!(stop_signal());
    loop {
        tokio::select! {
            _ = &mut stop => break,
            ended = pages.ended() => return Err(ended),
            ended = services.ended() => say("services", &format!("ended ({ended}); they start again after the next change")),
            Some(paths) = changed.recv() => match changes::action(&root, &known.changed(paths)) {
                Some(Action::Reapply) => show(reapply(&services).await),
                Some(Action::Rebuild) => show(rebuild(&mut services).await),
                None => {}
            },
        }
    }
    say("dev", "stopping");
    pages.stop().await;
    services.stop().await;
    Ok(())
}

/// Ctrl-C, or a request to end.
async fn stop_signal() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// After a failure, the last working build keeps running.
fn show(outcome: anyhow::Result<()>) {
    if let Err(error) = outcome {
        say("dev", &format!("{error:#}"));
    }
}

async fn rebuild(services: &mut Services) -> anyhow::Result<()> {
    let began = Instant::now();
    services::build().await?;
    services.restart().await?;
    say("services", &format!("running the new build after {:.1} s", began.elapsed().as_secs_f64()));
    Ok(())
}

async fn reapply(services: &Services) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut connection = db::connect(services.database_url()).await?;
    db::reapply_from(&mut connection, &run::root().join("db")).await.context("nothing was applied")?;
    connection.close().await?;
    say(
        "database",
        &format!("functions, views and policies applied in {:.1} s", began.elapsed().as_secs_f64()),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_says_what_to_do_about_a_port_in_use() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = check_port(port).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("port {port} is in use: stop what listens there, or choose another one with --port")
        );
        drop(taken);
        assert!(check_port(port).is_ok());
    }
}
