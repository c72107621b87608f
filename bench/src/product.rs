//! The running product: its address, its process, and a superuser's connection to its database.

use std::path::PathBuf;

use clap::Args;
use tokio_postgres::Client;

use crate::reader;

#[derive(Args)]
pub struct ProductOptions {
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// Process id of `serasi up`
    #[arg(long)]
    pid: u32,
    /// Its data directory, which has PostgreSQL's log
    #[arg(long)]
    pub data_dir: PathBuf,
    /// Superuser URL of its database
    #[arg(long, env = "DB_URL", hide_env_values = true)]
    database: String,
}

pub struct Product {
    /// Without a slash at the end.
    pub url: String,
    pub pid: u32,
    pub database: Client,
    /// PostgreSQL's log.
    pub log: PathBuf,
}

impl Product {
    /// # Errors
    /// When the database can't be reached.
    pub async fn connect(options: &ProductOptions) -> anyhow::Result<Self> {
        let database = reader::connect(&options.database).await?;
        let url = options.url.trim_end_matches('/').to_owned();
        Ok(Self { url, pid: options.pid, database, log: options.data_dir.join("postgres.log") })
    }
}
