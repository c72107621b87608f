//! The physical limit: pgbench sends the gateway's statements to the same database, as a login with the same rights.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use rand::Rng;
use tokio_postgres::Client;

use super::capture;
use super::script::{ROTATION_TABLE, Rotation, Script};

const LOGIN: &str = "serasi_bench";
/// pgbench prepares the statements of a pipeline before it starts, so before they change the role.
const PREPARED_IN: &str = "public, app, auth";
/// Transactions of each client in the trial run.
const TRIAL: &str = "10";

pub struct Pgbench {
    program: PathBuf,
    socket: String,
    port: String,
    database: String,
    password: String,
    pub clients: usize,
    pub threads: usize,
}

impl Pgbench {
    /// Creates a login like the gateway's. The services connect through the socket, so pgbench does, too.
    ///
    /// # Errors
    /// When the database rejects a statement.
    pub async fn prepare(
        client: &Client,
        program: &Path,
        clients: usize,
        threads: usize,
    ) -> anyhow::Result<Self> {
        let show = async |name: &str| anyhow::Ok(client.query_one(name, &[]).await?.try_get::<_, String>(0)?);
        let password = format!("{:032x}", rand::rng().random::<u128>());
        let create = format!(
            "do $$ begin
               if not exists (select from pg_roles where rolname = '{LOGIN}') then create role {LOGIN}; end if;
             end $$;
             alter role {LOGIN} login noinherit password '{password}';
             grant anon, authenticated, service_role to {LOGIN};
             grant usage on schema {PREPARED_IN} to {LOGIN};
             create schema if not exists serasi_bench;
             grant usage on schema serasi_bench to {LOGIN}"
        );
        client.batch_execute(&create).await.context("a login for pgbench")?;
        copy_settings(client).await?;
        Ok(Self {
            program: program.to_owned(),
            socket: show("show unix_socket_directories").await?,
            port: show("show port").await?,
            database: show("select current_database()::text").await?,
            password,
            clients,
            threads: threads.min(clients),
        })
    }

    /// Fails unless every statement succeeds.
    ///
    /// # Errors
    /// When pgbench is missing or a statement fails.
    pub fn try_out(&self, file: &Path, script: &Script) -> anyhow::Result<()> {
        self.run(file, script, &["-t", TRIAL]).map(drop)
    }

    /// Transactions per second, and the output.
    ///
    /// # Errors
    /// See [`Self::try_out`].
    pub fn measure(&self, file: &Path, script: &Script, seconds: u64) -> anyhow::Result<(f64, String)> {
        let output = self.run(file, script, &["-T", &seconds.to_string()])?;
        Ok((per_second(&output).with_context(|| output.clone())?, output))
    }

    fn run(&self, file: &Path, script: &Script, length: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(&self.program);
        command.args(["-n", "-M", "prepared"]).args(length).arg("-f").arg(file);
        command.args(["-c", &self.clients.to_string(), "-j", &self.threads.to_string()]);
        for (name, value) in &script.variables {
            command.arg("-D").arg(format!("{name}={value}"));
        }
        command.args(["-h", &self.socket, "-p", &self.port, "-U", LOGIN, &self.database]);
        let output = command.env("PGPASSWORD", &self.password).stdin(Stdio::null()).output();
        let output = output.with_context(|| self.program.display().to_string())?;
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "pgbench with {} failed: {text}", file.display());
        Ok(text.into_owned())
    }
}

/// The gateway's login has settings that affect plans.
async fn copy_settings(client: &Client) -> anyhow::Result<()> {
    let copy = format!(
        "select format('alter role {LOGIN} set %I = %L', split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1))
         from pg_db_role_setting, unnest(setconfig) as setting
         where setrole = '{}'::regrole and setdatabase = 0 and setting !~ 'search_path'",
        capture::LOGIN
    );
    for row in client.query(&copy, &[]).await? {
        client.batch_execute(row.try_get(0)?).await?;
    }
    Ok(())
}

/// # Errors
/// When the database rejects a statement.
pub async fn store(client: &Client, rotation: &Rotation) -> anyhow::Result<()> {
    let columns: Vec<String> = rotation.columns.iter().map(|name| format!("{name} text not null")).collect();
    let create = format!(
        "drop table if exists {ROTATION_TABLE};
         create table {ROTATION_TABLE} (number integer primary key, {});
         grant select on {ROTATION_TABLE} to {LOGIN}",
        columns.join(", ")
    );
    client.batch_execute(&create).await?;
    let places: Vec<String> = (2..rotation.columns.len() + 2).map(|number| format!("${number}")).collect();
    let insert = format!("insert into {ROTATION_TABLE} values ($1, {})", places.join(", "));
    let insert = client.prepare(&insert).await?;
    for (number, row) in rotation.rows.iter().enumerate() {
        let number = i32::try_from(number)?;
        let mut values: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> = vec![&number];
        values.extend(row.iter().map(|value| value as &(dyn tokio_postgres::types::ToSql + Sync)));
        client.execute(&insert, &values).await?;
    }
    client.batch_execute(&format!("analyze {ROTATION_TABLE}")).await?;
    Ok(())
}

/// Removes what [`Pgbench::prepare`] and [`store`] created.
///
/// # Errors
/// When the database rejects a statement.
pub async fn remove(client: &Client) -> anyhow::Result<()> {
    let remove = format!(
        "drop schema if exists serasi_bench cascade;
         revoke usage on schema {PREPARED_IN} from {LOGIN};
         drop role {LOGIN}"
    );
    Ok(client.batch_execute(&remove).await?)
}

fn per_second(output: &str) -> Option<f64> {
    let line = output.lines().find_map(|line| line.strip_prefix("tps = "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_the_output() {
        let output =
            "number of failed transactions: 0 (0.000%)\ntps = 14250.5 (without initial connection time)\n";
        assert_eq!(per_second(output), Some(14250.5));
        assert_eq!(per_second("pgbench: error"), None);
    }
}
