//! The material for the generator: the schema, rows, accounts, links and files of the running server.

mod accounts;
mod catalog;

use std::collections::HashMap;

use anyhow::Context;
use tokio_postgres::Client;

use super::Options;
use super::pictures::{self, Picture};
use super::request::Caller;

pub use accounts::{Link, Person};

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    /// PostgreSQL's internal name: `int4`, `_text`.
    pub kind: String,
    /// Values that occur in rows.
    pub pool: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub schema: String,
    pub name: String,
    pub columns: Vec<Column>,
    /// Embeddable tables, by table or constraint name.
    pub embeds: Vec<String>,
}

impl Table {
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known.name == column)
    }

    /// Belongs to the run's own schema, so its rows may be changed.
    pub fn is_ours(&self) -> bool {
        self.schema == "fuzz"
    }
}

#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    /// Name and type. An unnamed parameter takes the whole body.
    pub arguments: Vec<(String, String)>,
}

#[derive(Debug, Clone, Default)]
pub struct Ground {
    pub tables: Vec<Table>,
    pub functions: Vec<Function>,
    pub tokens: HashMap<Caller, String>,
    pub people: Vec<Person>,
    /// Generated accounts, which requests may change and delete.
    pub expendable_ids: Vec<String>,
    pub expendable_emails: Vec<String>,
    pub refresh_tokens: Vec<String>,
    pub links: Vec<Link>,
    /// `bucket/key`
    pub objects: Vec<String>,
    /// Paths of signed URLs, starting at `/object/…`.
    pub signed: Vec<String>,
    pub pictures: Vec<Picture>,
    /// Secrets that no response may contain.
    pub secrets: Vec<Vec<u8>>,
}

const EXPENDABLE: i64 = 240;

impl Ground {
    /// Creates accounts and rows again, because earlier requests have used up or deleted them.
    ///
    /// # Errors
    /// When the server rejects a request that it has to accept.
    pub async fn prepare(options: &Options, database: &Client) -> anyhow::Result<Self> {
        replenish(database).await.context("generated rows")?;
        // Requests may have set limits on the run's own buckets.
        database
            .batch_execute(
                "update storage.buckets set allowed_mime_types = null, file_size_limit = null where id like 'fuzz-%'",
            )
            .await
            .context("buckets")?;
        database.batch_execute(include_str!("schema.sql")).await.context("the run's own schema")?;
        let mut ground = Self { pictures: pictures::all()?, ..Self::default() };
        accounts::prepare(&mut ground, options).await.context("accounts")?;
        catalog::read(&mut ground, database).await.context("the catalog")?;
        for secret in [&options.jwt_secret, &options.service_role_key] {
            ground.secrets.push(secret.clone().into_bytes());
        }
        Ok(ground)
    }

    pub fn person(&self, caller: Caller) -> Option<&Person> {
        self.people.iter().find(|person| person.caller == caller)
    }
}

/// Keeps the number of generated accounts with profiles at its initial value.
async fn replenish(database: &Client) -> anyhow::Result<()> {
    let left: i64 = database
        .query_one("select count(*) from auth.users where id::text like '5e7b%' and deleted_at is null", &[])
        .await?
        .try_get(0)?;
    if left > EXPENDABLE / 2 {
        return Ok(());
    }
    database.batch_execute(db::BULK_SEED).await?;
    // Numbers continue after the highest one in use, including in addresses that requests gave to other accounts.
    database
        .batch_execute(
            "create or replace function pg_temp.fuzz_first(prefix text, kind text) returns bigint language sql stable as $$
               select coalesce(max(greatest(
                 case when id::text like prefix || '%' then ('x' || right(id::text, 12))::bit(48)::bigint end,
                 substring(email from '^' || kind || '([0-9]{1,12})@seed\\.serasi\\.test$')::bigint)), 0) + 1
               from auth.users
             $$;
             select pg_temp.seed_influencers(pg_temp.fuzz_first('5e7b0001', 'influencer'), 120);
             select pg_temp.seed_agencies(pg_temp.fuzz_first('5e7b0002', 'agency'), 60);
             select pg_temp.seed_vendors(pg_temp.fuzz_first('5e7b0003', 'vendor'), 60);
             select pg_temp.seed_gigs(1, 60);
             analyze;",
        )
        .await?;
    Ok(())
}
