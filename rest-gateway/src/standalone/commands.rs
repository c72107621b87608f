//! Commands that print something and exit.

use std::process::ExitCode;

use tokio_postgres::Client;

use crate::config::Config;
use crate::schema_cache::load;
use crate::state::database_settings;
use crate::wire::connect::open_client;

use super::print;

/// If the database is unreachable, the dump lacks the settings that are stored there.
pub async fn dump_config(config: Config) -> anyhow::Result<String> {
    if !config.loads_database_settings {
        return Ok(config.dump());
    }
    match connect(&config).await {
        Ok(mut client) => Ok(with_database(config, &mut client).await?.dump()),
        Err(error) => {
            eprintln!("Failed to query database settings for the config parameters. {error:#}");
            Ok(config.dump())
        }
    }
}

pub async fn dump_schema(config: Config) -> anyhow::Result<ExitCode> {
    let schemas = config.database.schemas.join(",");
    match schema(config).await {
        Ok(dump) => {
            print(&format!("{dump}\n"));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("Failed to load the schema cache using db-schemas={schemas}. {error:#}");
            Ok(ExitCode::FAILURE)
        }
    }
}

async fn schema(config: Config) -> anyhow::Result<serde_json::Value> {
    let mut client = connect(&config).await?;
    let config =
        if config.loads_database_settings { with_database(config, &mut client).await? } else { config };
    let (cache, _) = load::load(&mut client, &config.database).await?;
    Ok(cache.dump())
}

async fn connect(config: &Config) -> anyhow::Result<Client> {
    let (client, connection) = open_client(&config.database.direct).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// At startup, an invalid setting in the database is an error.
async fn with_database(config: Config, client: &mut Client) -> anyhow::Result<Config> {
    let settings = database_settings::read(client, &config).await?;
    config.with_database_settings(&settings).map_err(|error| anyhow::anyhow!("Error in config {error}"))
}
