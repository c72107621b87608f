//! The physical limit: pgbench sends the gateway's statements to the same database, as a login with the same rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use rand::Rng;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

use super::capture;
use super::log_text::Statement;

const LOGIN: &str = "serasi_bench";
const ROTATION: &str = "serasi_bench.rotation";
/// After this many transactions a client takes the next row of [`ROTATION`]. The query for it costs little in comparison.
const TRANSACTIONS_PER_ROW: usize = 50;

pub struct Pgbench {
    program: PathBuf,
    socket: String,
    port: String,
    database: String,
    password: String,
    clients: usize,
}

/// A script that has been tried out.
pub struct Transactions<'a> {
    pgbench: &'a Pgbench,
    script: PathBuf,
    variables: Vec<(String, String)>,
}

impl Pgbench {
    /// Creates a login like the gateway's. The services connect through the socket, so pgbench does, too.
    ///
    /// # Errors
    /// When the database rejects a statement.
    pub async fn prepare(client: &Client, program: &Path, clients: usize) -> anyhow::Result<Self> {
        let show = async |name: &str| anyhow::Ok(client.query_one(name, &[]).await?.try_get::<_, String>(0)?);
        let password = format!("{:032x}", rand::rng().random::<u128>());
        let create = format!(
            "do $$ begin
               if not exists (select from pg_roles where rolname = '{LOGIN}') then create role {LOGIN}; end if;
             end $$;
             alter role {LOGIN} login noinherit password '{password}';
             grant anon, authenticated, service_role to {LOGIN};
             create schema if not exists serasi_bench;
             grant usage on schema serasi_bench to {LOGIN}"
        );
        client.batch_execute(&create).await.context("a login for pgbench")?;
        // The gateway's login has settings that affect plans.
        let copy = format!(
            "select format('alter role {LOGIN} set %I = %L', split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1))
             from pg_db_role_setting, unnest(setconfig) as setting
             where setrole = '{}'::regrole and setdatabase = 0 and setting !~ 'search_path'",
            capture::LOGIN
        );
        for row in client.query(&copy, &[]).await? {
            client.batch_execute(row.try_get(0)?).await?;
        }
        Ok(Self {
            program: program.to_owned(),
            socket: show("show unix_socket_directories").await?,
            port: show("show port").await?,
            database: show("select current_database()::text").await?,
            password,
            clients,
        })
    }

    /// Writes a script that sends the statements, and tries it out. Parameters that contain the texts of the first of
    /// `people` get the texts of all of them in turn.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn transactions(
        &self,
        client: &Client,
        statements: &[Statement],
        people: &[Vec<String>],
        file: &Path,
    ) -> anyhow::Result<Transactions<'_>> {
        let mut variables = Vec::new();
        for (index, statement) in statements.iter().enumerate() {
            for (number, value) in statement.parameters.iter().enumerate() {
                variables
                    .extend(value.iter().map(|value| (format!("s{index}_{}", number + 1), value.clone())));
            }
        }
        let mut script = String::new();
        if let Some(first) = people.first() {
            let is_personal = |(_, value): &(String, String)| first.iter().any(|text| value.contains(text));
            let (personal, rest): (Vec<_>, Vec<_>) = variables.into_iter().partition(is_personal);
            store(client, &personal, people).await?;
            let names: Vec<_> = personal.into_iter().map(|(name, _)| name).collect();
            script = rotation(&names, people.len(), self.clients);
            variables = rest;
            variables.extend(["left", "turn"].map(|name| (name.to_owned(), "0".to_owned())));
        }
        // The gateway sends all statements at once, which makes them one transaction.
        let begins =
            statements.iter().any(|statement| statement.text.to_ascii_lowercase().starts_with("begin"));
        let texts = statements.iter().enumerate().map(|(index, statement)| for_pgbench(statement, index));
        let texts = texts.collect::<anyhow::Result<Vec<_>>>()?.join(";\n");
        script += &if begins { format!("{texts};\n") } else { format!("begin;\n{texts};\ncommit;\n") };
        fs::write(file, script)?;
        let transactions = Transactions { pgbench: self, script: file.to_owned(), variables };
        transactions.run(&["-t", "10"])?;
        Ok(transactions)
    }
}

impl Transactions<'_> {
    /// # Errors
    /// When a statement fails.
    pub fn per_second(&self, seconds: u64) -> anyhow::Result<f64> {
        let output = self.run(&["-T", &seconds.to_string()])?;
        per_second(&output).context(output)
    }

    fn run(&self, length: &[&str]) -> anyhow::Result<String> {
        let Pgbench { program, socket, port, database, password, clients } = self.pgbench;
        let mut command = Command::new(program);
        command.args(["-n", "-M", "prepared", "-j", "2", "-c", &clients.to_string()]).args(length);
        command.arg("-f").arg(&self.script);
        for (name, value) in &self.variables {
            command.arg("-D").arg(format!("{name}={value}"));
        }
        command.args(["-h", socket, "-p", port, "-U", LOGIN, database]).env("PGPASSWORD", password);
        let output = command.stdin(Stdio::null()).output().with_context(|| program.display().to_string())?;
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "pgbench with {} failed: {text}", self.script.display());
        fs::write(self.script.with_extension("pgbench.txt"), text.as_bytes())?;
        Ok(text.into_owned())
    }
}

/// Fetches a row from time to time. No two clients have the same row at once.
fn rotation(names: &[String], rows: usize, clients: usize) -> String {
    format!(
        "\\if :left = 0\n\\set row mod(:client_id + {clients} * :turn, {rows})\n\\set turn :turn + 1\n\
         \\set left {TRANSACTIONS_PER_ROW}\nselect {} from {ROTATION} where number = :row \\gset\n\\endif\n\
         \\set left :left - 1\n",
        names.join(", ")
    )
}

/// The parameters for each of the people.
async fn store(client: &Client, personal: &[(String, String)], people: &[Vec<String>]) -> anyhow::Result<()> {
    let columns: Vec<_> = personal.iter().map(|(name, _)| format!("{name} text not null")).collect();
    let create = format!(
        "drop table if exists {ROTATION}; create table {ROTATION} (number integer primary key, {});
         grant select on {ROTATION} to {LOGIN}",
        columns.join(", ")
    );
    client.batch_execute(&create).await?;
    let places: Vec<_> = (2..personal.len() + 2).map(|number| format!("${number}")).collect();
    let insert =
        client.prepare(&format!("insert into {ROTATION} values ($1, {})", places.join(", "))).await?;
    let first = people.first().map(Vec::as_slice).unwrap_or_default();
    for (number, person) in people.iter().enumerate() {
        let replaced = |(_, value): &(String, String)| {
            first.iter().zip(person).fold(value.clone(), |value, (from, to)| value.replace(from, to))
        };
        let (number, row) = (i32::try_from(number)?, personal.iter().map(replaced).collect::<Vec<_>>());
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&number];
        values.extend(row.iter().map(|value| value as &(dyn ToSql + Sync)));
        client.execute(&insert, &values).await?;
    }
    Ok(client.batch_execute(&format!("analyze {ROTATION}")).await?)
}

/// Replaces `$1` by a variable. pgbench would also replace other names after a single colon.
fn for_pgbench(statement: &Statement, index: usize) -> anyhow::Result<String> {
    let mut text = statement.text.clone();
    for (number, value) in statement.parameters.iter().enumerate().rev() {
        let by = if value.is_some() { format!(":s{index}_{}", number + 1) } else { "null".to_owned() };
        text = text.replace(&format!("${}", number + 1), &by);
    }
    let plain = statement.text.replace("::", "");
    let is_safe = plain
        .split(':')
        .skip(1)
        .all(|rest| !rest.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'));
    ensure!(is_safe, "pgbench can't send a colon before a name: {text}");
    Ok(text)
}

/// Removes what [`Pgbench::prepare`] and [`store`] created.
///
/// # Errors
/// When the database rejects a statement.
pub async fn remove(client: &Client) -> anyhow::Result<()> {
    Ok(client
        .batch_execute(&format!("drop schema if exists serasi_bench cascade; drop role {LOGIN}"))
        .await?)
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

    #[test]
    fn parameters_become_variables() {
        let statement =
            |text: &str| Statement { text: text.to_owned(), parameters: vec![Some("a".to_owned()), None] };
        let text = for_pgbench(&statement("select $1::text, $2, '12:30', x[1:2]"), 0).unwrap();
        assert_eq!(text, "select :s0_1::text, null, '12:30', x[1:2]");
        assert!(for_pgbench(&statement("select 'a:b'"), 0).is_err());
    }
}
