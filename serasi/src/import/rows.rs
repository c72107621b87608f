//! Copies accounts, identities, buckets and objects from the scratch database, through temporary tables whose columns are all text.

use std::collections::BTreeMap;

use anyhow::Context;
use futures::TryStreamExt;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::platform::STAGED;
use crate::database::Database;
use crate::database::temporary_login::TemporaryLogin;
use crate::import_owner;

/// What the statements of the import need, in addition to what the role `import_owner` has.
const PRIVILEGES: [&str; 5] = [
    "insert on auth.users, auth.identities, storage.buckets, storage.objects",
    "update (raw_user_meta_data) on auth.users",
    "select (id, provider_id, provider) on auth.identities",
    "usage on schema import_staging",
    "insert on all tables in schema import_staging",
];

/// Remembers what an import adds until it is complete. See [`super::undo`].
const REMEMBER: &str = "
drop schema if exists import_staging cascade;
create schema import_staging;
create table import_staging.users (id uuid);
create table import_staging.buckets (id text);
create table import_staging.objects (id uuid);";

/// A transaction of a login that can only insert, and the columns that the dump has for each table.
pub struct Rows {
    pub connection: PgConnection,
    pub columns: BTreeMap<&'static str, Vec<String>>,
    login: TemporaryLogin,
}

impl Rows {
    /// # Errors
    /// When the rows can't be read.
    pub async fn copy(database: &Database, scratch: &mut PgConnection) -> anyhow::Result<Self> {
        let mut admin = database.connect().await?;
        sqlx::raw_sql(REMEMBER).execute(&mut admin).await?;
        let mut login = TemporaryLogin::create(database, None).await?;
        let permanent = import_owner::PERMANENT.replace("import_owner", login.name());
        sqlx::raw_sql(AssertSqlSafe(permanent)).execute(&mut admin).await?;
        for privileges in PRIVILEGES {
            login.grant(privileges).await?;
        }
        let temporary = "select format('temporary on database %I', current_database())";
        let temporary: String = sqlx::query_scalar(temporary).fetch_one(&mut admin).await?;
        login.grant(&temporary).await?;
        login.bypass_row_security().await?;
        admin.close().await?;
        let mut rows =
            Self { connection: database.connect_url(&login.url).await?, columns: BTreeMap::new(), login };
        rows.connection
            .execute(
                "begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0",
            )
            .await?;
        for (table, staged) in STAGED {
            match rows.stage(scratch, table, staged).await.with_context(|| table.to_owned()) {
                Ok(columns) => drop(rows.columns.insert(staged, columns)),
                Err(error) => {
                    rows.end(false).await?;
                    return Err(error);
                }
            }
        }
        Ok(rows)
    }

    async fn stage(
        &mut self,
        scratch: &mut PgConnection,
        table: &str,
        staged: &str,
    ) -> anyhow::Result<Vec<String>> {
        let columns = "select attname::text, quote_ident(attname) from pg_attribute
                       where attrelid = (select oid from pg_class where oid = to_regclass($1) and relkind in ('r', 'p')) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum";
        let columns: Vec<(String, String)> =
            sqlx::query_as(columns).bind(table).fetch_all(&mut *scratch).await?;
        let (names, quoted): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let list =
            |suffix: &str| quoted.iter().map(|name| format!("{name}{suffix}")).collect::<Vec<_>>().join(", ");
        let create = format!(
            "create temporary table {} (import_number bigint generated always as identity, {})",
            staged.trim_start_matches("pg_temp."),
            list(" text")
        );
        if names.is_empty() {
            return Ok(names);
        }
        self.connection.execute(AssertSqlSafe(create)).await?;
        let mut from =
            scratch.copy_out_raw(&format!("copy (select {} from {table}) to stdout", list("::text"))).await?;
        let mut to = self.connection.copy_in_raw(&format!("copy {staged} ({}) from stdin", list(""))).await?;
        while let Some(chunk) = from.try_next().await? {
            to.send(&chunk[..]).await?;
        }
        to.finish().await?;
        Ok(names)
    }

    /// Remembers what this transaction added, in case the rest of the import fails.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn remember(&mut self, with_objects: bool) -> sqlx::Result<()> {
        let has = |staged: &str| self.columns.get(staged).is_some_and(|columns| !columns.is_empty());
        let mut remember = "insert into import_staging.users select id::uuid from pg_temp.users;".to_owned();
        if has(super::platform::BUCKETS) {
            remember += "insert into import_staging.buckets select id from pg_temp.buckets where id not in (select id from storage.buckets);";
        }
        if with_objects && has(super::platform::OBJECTS) {
            remember += "insert into import_staging.objects select id::uuid from pg_temp.objects;";
        }
        sqlx::raw_sql(AssertSqlSafe(remember)).execute(&mut self.connection).await.map(drop)
    }

    /// # Errors
    /// When the transaction can't be committed, or the login not dropped.
    pub async fn end(mut self, commit: bool) -> anyhow::Result<()> {
        let ended = self.connection.execute(if commit { "commit" } else { "rollback" }).await;
        let closed = self.connection.close().await;
        self.login.end().await?;
        ended.context("the accounts can't be imported")?;
        Ok(closed?)
    }
}
