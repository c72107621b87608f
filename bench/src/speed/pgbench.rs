//! The physical limit: pgbench sends the gateway's statements to the same database, as a login with the same rights.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use rand::Rng;
use tokio_postgres::Client;

use super::capture;
use super::log_text::Statement;

const LOGIN: &str = "serasi_bench";

pub struct Pgbench {
    program: PathBuf,
    socket: String,
    port: String,
    database: String,
    password: String,
    clients: usize,
}

/// Scripts that have been tried out, one for each person, of which pgbench chooses at random.
pub struct Transactions<'a> {
    pgbench: &'a Pgbench,
    scripts: Vec<PathBuf>,
    variables: BTreeMap<String, String>,
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
             grant anon, authenticated, service_role to {LOGIN}"
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

    /// Writes scripts that send the statements, and tries them out. Parameters that contain the texts of the first of
    /// `people` have those of the others in their scripts.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn transactions(
        &self,
        statements: &[Statement],
        people: &[Vec<String>],
        file: &Path,
    ) -> anyhow::Result<Transactions<'_>> {
        let (mut scripts, mut variables) = (Vec::new(), BTreeMap::new());
        let first = &people[0];
        for (number, person) in people.iter().enumerate() {
            let mut texts = Vec::new();
            for (index, statement) in statements.iter().enumerate() {
                let variable = |at: usize, value: &str| {
                    let is_personal = first.iter().any(|text| value.contains(text));
                    let name = format!(
                        "s{index}_{at}{}",
                        if is_personal { format!("_{number}") } else { String::new() }
                    );
                    let replace = |value: String, (from, to): (&String, &String)| value.replace(from, to);
                    variables.insert(name.clone(), first.iter().zip(person).fold(value.to_owned(), replace));
                    format!(":{name}")
                };
                texts.push(for_pgbench(statement, variable)?);
            }
            // The gateway sends all statements at once, which makes them one transaction.
            let begins = texts.iter().any(|text| text.to_ascii_lowercase().starts_with("begin"));
            let text = texts.join(";\n");
            let script = file.with_extension(format!("{number}.sql"));
            fs::write(
                &script,
                if begins { format!("{text};\n") } else { format!("begin;\n{text};\ncommit;\n") },
            )?;
            scripts.push(script);
        }
        let transactions = Transactions { pgbench: self, scripts, variables };
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
        command.args(self.scripts.iter().flat_map(|script| [OsStr::new("-f"), script.as_os_str()]));
        for (name, value) in &self.variables {
            command.arg("-D").arg(format!("{name}={value}"));
        }
        command.args(["-h", socket, "-p", port, "-U", LOGIN, database]).env("PGPASSWORD", password);
        let output = command.stdin(Stdio::null()).output().with_context(|| program.display().to_string())?;
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "pgbench failed: {text}");
        fs::write(self.scripts[0].with_extension("pgbench.txt"), text.as_bytes())?;
        Ok(text.into_owned())
    }
}

/// Replaces `$1` by a variable. pgbench would also replace other names after a single colon.
fn for_pgbench(
    statement: &Statement,
    mut variable: impl FnMut(usize, &str) -> String,
) -> anyhow::Result<String> {
    let mut text = statement.text.clone();
    for (at, value) in statement.parameters.iter().enumerate().rev() {
        let by = value.as_ref().map_or("null".to_owned(), |value| variable(at + 1, value));
        text = text.replace(&format!("${}", at + 1), &by);
    }
    let plain = statement.text.replace("::", "");
    let is_name = |rest: &str| rest.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    ensure!(!plain.split(':').skip(1).any(is_name), "pgbench can't send a colon before a name: {text}");
    Ok(text)
}

/// Removes what [`Pgbench::prepare`] created.
///
/// # Errors
/// When the database rejects a statement.
pub async fn remove(client: &Client) -> anyhow::Result<()> {
    let remove = format!("drop owned by {LOGIN}; drop role {LOGIN}");
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

    #[test]
    fn parameters_become_variables() {
        let statement =
            |text: &str| Statement { text: text.to_owned(), parameters: vec![Some("a".to_owned()), None] };
        let text =
            for_pgbench(&statement("select $1::text, $2, '12:30', x[1:2]"), |at, _| format!(":s0_{at}"))
                .unwrap();
        assert_eq!(text, "select :s0_1::text, null, '12:30', x[1:2]");
        assert!(for_pgbench(&statement("select 'a:b'"), |_, _| String::new()).is_err());
    }
}
