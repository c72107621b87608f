//! One database per job, migrated and with pgTAP. It is recreated regularly: rolled-back rows stay in the
//! table files, and later runs must read past them. After a few hundred runs, one second had become ten.

use std::path::Path;

use anyhow::Context;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::suite::OPEN_PGTAP;
use crate::run;

const PREFIX: &str = "serasi_mutants_";

/// Ends a file at its first failed test, because later ones can't change the verdict. `when others` does
/// not catch `query_canceled`, so the functions of pgTAP and of the tests pass it on.
const FIRST_RED_ENDS: &str = "
    alter function tap.ok(boolean, text) rename to green_or_red;
    create function tap.ok(passed boolean, description text) returns text language plpgsql as $$
    declare
      line constant text := tap.green_or_red(passed, description);
    begin
      if line like 'not ok%' and line not like '%# TODO%' then
        raise exception '%', description using errcode = 'query_canceled';
      end if;
      return line;
    end $$;
    grant execute on function tap.ok(boolean, text) to public;";

pub(super) struct Databases {
    server: String,
    /// Nothing writes to this database.
    template: Database,
    copies: Vec<Database>,
}

pub(super) struct Database {
    name: String,
    pub(super) url: String,
}

impl Databases {
    /// # Errors
    /// When the server's URL names no database.
    pub(super) fn new(server: &str, copies: usize) -> anyhow::Result<Self> {
        let at = server.rsplit_once('/').context("the URL names no database")?.0;
        let database = |suffix: &str| {
            let name = format!("{PREFIX}{}_{suffix}", std::process::id());
            Database { url: format!("{at}/{name}"), name }
        };
        Ok(Self {
            server: server.to_owned(),
            template: database("template"),
            copies: (0..copies).map(|copy| database(&copy.to_string())).collect(),
        })
    }

    pub(super) fn copies(&self) -> &[Database] {
        &self.copies
    }

    /// # Errors
    /// When they can't be created or migrated.
    pub(super) async fn create(&self, pgtap: &Path) -> anyhow::Result<()> {
        let mut connection = db::connect(&self.server).await?;
        self.drop_stale(&mut connection).await?;
        connection.execute(AssertSqlSafe(format!("create database {}", self.template.name))).await?;
        connection.close().await?;

        let mut inside = db::connect(&self.template.url).await?;
        db::migrate(&mut inside, |_| ()).await?;
        self.load_pgtap(pgtap)?;
        inside.execute(FIRST_RED_ENDS).await?;
        inside.execute("vacuum analyze").await?;
        // A database with open connections can't be copied.
        inside.close().await?;
        for copy in &self.copies {
            self.renew(copy).await?;
        }
        Ok(())
    }

    /// Recreates the database from the template.
    ///
    /// # Errors
    /// When the server is gone.
    pub(super) async fn renew(&self, copy: &Database) -> anyhow::Result<()> {
        let mut connection = db::connect(&self.server).await?;
        let (name, template) = (&copy.name, &self.template.name);
        connection.execute(AssertSqlSafe(format!("drop database if exists {name} with (force)"))).await?;
        connection.execute(AssertSqlSafe(format!("create database {name} template {template}"))).await?;
        connection.close().await?;
        Ok(())
    }

    fn load_pgtap(&self, pgtap: &Path) -> anyhow::Result<()> {
        let mut psql = run::command("psql");
        psql.args(["-Xq", "-v", "ON_ERROR_STOP=1", "-d", &self.template.url, "-c", "create schema tap"])
            .args(["-c", "set search_path = tap, public", "-f"])
            .arg(pgtap);
        psql.args(["-c", "grant usage on schema tap to public", "-c", OPEN_PGTAP]);
        run::must(psql.stdout(std::process::Stdio::null())).map(|_| ())
    }

    /// Drops databases left over from a killed run, unless they are in use.
    async fn drop_stale(&self, connection: &mut PgConnection) -> anyhow::Result<()> {
        let stale: Vec<(String,)> = sqlx::query_as(
            "select datname::text from pg_database where starts_with(datname, $1)
             and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)",
        )
        .bind(PREFIX)
        .fetch_all(&mut *connection)
        .await?;
        for (name,) in stale {
            connection.execute(AssertSqlSafe(format!("drop database if exists {name}"))).await?;
        }
        Ok(())
    }

    /// # Errors
    /// When the server is gone.
    pub(super) async fn drop_all(&self) -> anyhow::Result<()> {
        let mut connection = db::connect(&self.server).await?;
        for Database { name, .. } in self.copies.iter().chain([&self.template]) {
            connection.execute(AssertSqlSafe(format!("drop database if exists {name} with (force)"))).await?;
        }
        Ok(())
    }
}
