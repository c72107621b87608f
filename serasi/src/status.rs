//! `serasi status`: shows the address and keys of a running Serasi, and tables without row security.

use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use tokio::time::timeout;

use crate::{DataDir, data_dir, database};

const LIMIT: Duration = Duration::from_secs(5);

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// `env`: print every key as NAME=value, for scripts
    #[arg(long, value_enum)]
    output: Option<Output>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Output {
    Env,
}

pub async fn run(options: &Options) -> anyhow::Result<()> {
    let folder = &options.data_dir.data_dir;
    let running = data_dir::running(folder).with_context(|| {
        format!("no Serasi is running on {}: start it with `serasi up`", folder.display())
    })?;
    match options.output {
        Some(Output::Env) => {
            println!("API_URL={}", running.api_url);
            println!("ANON_KEY={}", running.anon_key);
            println!("SERVICE_ROLE_KEY={}", running.service_role_key);
            println!("JWT_SECRET={}", running.jwt_secret);
            println!("DB_URL={}", running.db_url);
            println!("DEVELOPER_DB_URL={}", running.developer_db_url);
            if let Some(url) = running.mail_url {
                println!("MAIL_URL={url}");
            }
        }
        None => {
            println!("Serasi is running at {}", running.api_url);
            println!("Show the keys and the database URL: serasi status --output env");
        }
    }
    let url = &running.developer_db_url;
    let found = async { database::unprotected(&mut db::connect(url).await?).await };
    match timeout(LIMIT, found).await {
        Ok(Ok(found)) => found.iter().for_each(|found| eprintln!("warning: {found}")),
        Ok(Err(error)) => eprintln!("warning: row security can't be checked: {error}"),
        Err(_) => eprintln!("warning: row security can't be checked: the database does not answer"),
    }
    Ok(())
}
