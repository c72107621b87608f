//! `cargo xtask schema`: the structure of a new database, for review. Tests compare it with real databases.

use crate::server::Server;
use crate::{policies, run};

const FILE: &str = "db/schema.snapshot";

/// # Errors
/// When the server does not start, or the file can't be written.
pub fn write() -> anyhow::Result<()> {
    let server = Server::start(&["--api-only", "--no-demo"])?;
    // Not the served database, which the schedule changes: it replaces statistics.
    let database = policies::fresh(&server.database_url()?, "serasi_schema")?;
    std::fs::write(run::root().join(FILE), read(&database)?)?;
    Ok(())
}

/// How a database differs from the file; empty when it does not.
///
/// # Errors
/// When the file or the database can't be read.
pub fn difference(database_url: &str) -> anyhow::Result<String> {
    Ok(db::difference(&std::fs::read_to_string(run::root().join(FILE))?, &read(database_url)?))
}

fn read(database_url: &str) -> anyhow::Result<String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let mut connection = db::connect(database_url).await?;
        Ok(db::snapshot(&mut connection).await?)
    })
}
