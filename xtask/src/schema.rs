//! `cargo xtask schema`: the structure of a new database, for review. Tests compare it with real databases.

use anyhow::Context;
use sqlx::Executor;

use crate::run;
use crate::server::Server;

const FILE: &str = "db/schema.snapshot";

/// # Errors
/// When the server does not start, or the file can't be written.
pub fn write() -> anyhow::Result<()> {
    let server = Server::start(&["--api-only", "--no-demo"])?;
    std::fs::write(run::root().join(FILE), read_new(&server.database_url()?)?)?;
    Ok(())
}

/// How a database differs from the file; empty when it does not.
///
/// # Errors
/// When the file or the database can't be read.
pub fn difference(database_url: &str) -> anyhow::Result<String> {
    Ok(db::difference(&std::fs::read_to_string(run::root().join(FILE))?, &read(database_url)?))
}

/// The served database is not new: the schedule replaces statistics.
fn read_new(server: &str) -> anyhow::Result<String> {
    let new = format!("{}/serasi_schema", server.rsplit_once('/').context("a URL with a database")?.0);
    run::block_on(async {
        db::connect(server).await?.execute("create database serasi_schema").await?;
        Ok(db::migrate(&mut db::connect(&new).await?, |_| ()).await?)
    })?;
    read(&new)
}

fn read(database_url: &str) -> anyhow::Result<String> {
    run::block_on(async { Ok(db::snapshot(&mut db::connect(database_url).await?).await?) })
}
