//! One database for each job: migrated, with pgTAP.

use std::path::Path;

use anyhow::Context;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::run;

const PREFIX: &str = "serasi_mutants_";

/// A red test ends its file: what follows could not change the verdict. `when others` doesn't catch this
/// error, so that pgTAP's own functions and the tests' pass it on.
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
    urls: Vec<String>,
}

impl Databases {
    pub(super) fn new(server: &str) -> Self {
        Self { server: server.to_owned(), urls: Vec::new() }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.urls
    }

    /// # Errors
    /// When they can't be made or migrated.
    pub(super) async fn create(&mut self, number: usize, pgtap: &Path) -> anyhow::Result<()> {
        let mut connection = PgConnection::connect(&self.server).await?;
        self.drop_stale(&mut connection).await?;
        let own = format!("{PREFIX}{}", std::process::id());
        let at = self.server.rsplit_once('/').context("an address that names a database")?.0.to_owned();

        self.urls.push(format!("{at}/{own}_0"));
        connection.execute(AssertSqlSafe(format!("create database {own}_0"))).await?;
        let mut inside = PgConnection::connect(&self.urls[0]).await?;
        db::migrate(&mut inside, |_| ()).await?;
        inside.close().await?;
        self.load_pgtap(pgtap)?;
        let mut inside = PgConnection::connect(&self.urls[0]).await?;
        inside.execute(FIRST_RED_ENDS).await?;
        inside.close().await?;

        for copy in 1..number {
            self.urls.push(format!("{at}/{own}_{copy}"));
            let statement = format!("create database {own}_{copy} template {own}_0 strategy file_copy");
            connection.execute(AssertSqlSafe(statement)).await?;
        }
        Ok(())
    }

    fn load_pgtap(&self, pgtap: &Path) -> anyhow::Result<()> {
        let mut psql = run::command("psql");
        psql.args(["-Xq", "-v", "ON_ERROR_STOP=1", "-d", &self.urls[0], "-c", "create schema tap"])
            .args(["-c", "set search_path = tap, public", "-f"])
            .arg(pgtap);
        run::must(psql.stdout(std::process::Stdio::null())).map(|_| ())
    }

    /// What a run that was killed left behind. One that somebody is using stays.
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
    pub(super) async fn drop_all(&mut self) -> anyhow::Result<()> {
        let mut connection = PgConnection::connect(&self.server).await?;
        for url in self.urls.drain(..) {
            let name = url.rsplit('/').next().unwrap_or_default().to_owned();
            connection.execute(AssertSqlSafe(format!("drop database if exists {name} with (force)"))).await?;
        }
        Ok(())
    }
}
