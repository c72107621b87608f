//! One migrated database with pgTAP per job.

use std::path::Path;

use anyhow::{Context, ensure};

use crate::policies;

const TEMPLATE: &str = "serasi_mutants";
/// Rolled-back rows stay in the table files, and later runs must read past them: after a few hundred runs, one second had
/// become ten. A copy of the template takes as long as one run.
const RUNS: usize = 25;

/// Ends a file at its first failed test. `when others` does not catch `query_canceled`, so the functions of pgTAP and of
/// the tests pass it on.
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
    grant execute on function tap.ok(boolean, text) to public";

pub struct Databases {
    server: Database,
    pub copies: Vec<Database>,
}

pub struct Database {
    name: String,
    pub url: String,
}

impl Database {
    fn new(server: &str, name: &str) -> anyhow::Result<Self> {
        let at = server.rsplit_once('/').context("the URL names no database")?.0;
        Ok(Self { url: format!("{at}/{name}"), name: name.to_owned() })
    }

    /// The result of statements, each of which is a transaction.
    ///
    /// # Errors
    /// When one fails.
    pub fn psql(&self, statements: &[&str]) -> anyhow::Result<String> {
        let mut psql = policies::psql(&self.url);
        psql.arg("-At").args(statements.iter().flat_map(|statement| ["-c", statement]));
        let output = psql.output().context("psql can't be started")?;
        ensure!(output.status.success(), "psql: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    }
}

impl Databases {
    /// # Errors
    /// When they can't be created or migrated.
    pub fn create(server: &str, jobs: usize, pgtap: &Path) -> anyhow::Result<Self> {
        let template = policies::fresh(server, TEMPLATE)?;
        policies::load_pgtap(&template, pgtap)?;
        Database::new(server, TEMPLATE)?.psql(&[FIRST_RED_ENDS, "vacuum analyze"])?;
        let copies = (0..jobs).map(|job| Database::new(server, &format!("{TEMPLATE}_{job}")));
        let databases = Self {
            server: Database::new(server, "postgres")?,
            copies: copies.collect::<anyhow::Result<_>>()?,
        };
        databases.copies.iter().try_for_each(|copy| databases.renew_after(RUNS, copy))?;
        Ok(databases)
    }

    /// Copies the template again after some runs.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn renew_after(&self, runs: usize, copy: &Database) -> anyhow::Result<()> {
        if runs.is_multiple_of(RUNS) {
            let name = &copy.name;
            let create = format!("create database {name} template {TEMPLATE}");
            self.server.psql(&[&format!("drop database if exists {name} with (force)"), &create])?;
        }
        Ok(())
    }
}
