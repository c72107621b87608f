//! `serasi pages`: serves only the built frontend, each page with its own head, for separately deployed
//! services (compose). The data for the heads comes from an embedded gateway with anonymous access.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use clap::Args;
use platform::admin::readiness::Readiness;
use platform::admin::{self, AdminPort};
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, serve, stop_signal};
use platform::measure::measured;
use rest_gateway::Gateway;

use crate::Pages;

/// Pages without their own heads are better than no pages.
const FIRST_LOAD: Duration = Duration::from_secs(5);

#[derive(Args)]
pub struct Options {
    /// The folder with the built frontend; default: the pages in this program, if it was released with them
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// # Errors
/// When a setting is missing, the folder contains no frontend build, or the database is unreachable.
pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let pages = match &options.folder {
        Some(folder) => Pages::read(folder)?,
        None => Pages::embedded()
            .context("this program has no pages: name the folder with the built pages in --folder")?,
    };
    let host: IpAddr = env.parse_or("HOST", IpAddr::from([127, 0, 0, 1]))?;
    let port: u16 = env.parse_or("PORT", 8000)?;
    let limits = Limits::from_env(env)?;
    let (anon_key, site_url) = (env.required("ANON_KEY")?, env.required("SITE_URL")?);
    platform::telemetry::install_metrics();
    let gateway = rest_gateway::start(rest_gateway::Config::from_env(env)?).await?;
    let _ = tokio::time::timeout(FIRST_LOAD, gateway.loaded()).await;
    let app = crate::app(&pages, anon_key, site_url.trim_end_matches('/'), gateway.router())?;
    let app = measured("pages", "", app);
    let listener = listening::open(env, Purpose::Requests, host, port)
        .await
        .with_context(|| format!("{host}:{port} can't be bound"))?;
    let admin = AdminPort::open(env, host).await?;
    println!("ready http://{}", listener.local_addr()?);
    let served = tokio::try_join!(
        serve(listener, app, limits.clone(), stop_signal()),
        admin.serve(|| admin_router(&gateway), &limits, stop_signal()),
    );
    gateway.stop();
    served?;
    Ok(())
}

/// Ready when the data for the pages is available.
fn admin_router(gateway: &Gateway) -> Router {
    let (checked, observed) = (gateway.clone(), gateway.clone());
    let readiness = Readiness::new(move || {
        let gateway = checked.clone();
        async move { gateway.ready().await }
    });
    admin::router(readiness, move || observed.observe())
}
