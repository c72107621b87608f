//! Imports accounts, identities, buckets and objects. Their rows are copied from the scratch database to tables with the same
//! columns, corrected there, and inserted as a login that can do nothing else.

use anyhow::{Context, bail, ensure};
use futures::TryStreamExt;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::Job;
use super::report::{Report, first_of};
use crate::database::Database;
use crate::database::temporary_login::TemporaryLogin;
use crate::import_owner;

/// The maximum number of accounts in a message.
const SHOWN: usize = 5;

/// The tables, the columns that are imported, and what their rows are.
pub const TABLES: [(&str, &str, &str); 4] = [
    (
        "auth.users",
        "id, instance_id, role, email, encrypted_password, email_confirmed_at, invited_at, last_sign_in_at, raw_app_meta_data, \
         raw_user_meta_data, phone, phone_confirmed_at, is_anonymous, is_sso_user, is_super_admin, banned_until, deleted_at, \
         created_at, updated_at, phone_change_sent_at, reauthentication_sent_at",
        "accounts",
    ),
    (
        "auth.identities",
        "id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at",
        "identities",
    ),
    (
        "storage.buckets",
        "id, name, owner, owner_id, public, file_size_limit, allowed_mime_types, created_at, updated_at",
        "buckets",
    ),
    (
        "storage.objects",
        "id, bucket_id, name, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata",
        "objects",
    ),
];

/// What the statements of the import need, in addition to what the role `import_owner` has.
const PRIVILEGES: &str = "
alter role LOGIN bypassrls;
grant insert on auth.users, auth.identities, storage.buckets, storage.objects to LOGIN;
grant update (raw_user_meta_data) on auth.users to LOGIN;
grant select (id, provider_id, provider) on auth.identities to LOGIN;
grant usage on schema import_staging to LOGIN;
grant select, insert, update, delete on all tables in schema import_staging to LOGIN";

/// Accounts that change, and how.
const NOTES: [(&str, &str); 6] = [
    (
        "encrypted_password <> '' and encrypted_password !~ '^\\$(2[abxy]|argon2id?)\\$'",
        "are imported without a usable password: their owners set a new one by e-mail",
    ),
    ("role not in ('authenticated', '')", "are imported with the role authenticated instead of their own"),
    (
        "phone <> '' and phone !~ '^[1-9][0-9]{1,14}$'",
        "are imported without their phone number, which is malformed",
    ),
    ("is_sso_user", "are imported, but single sign-on is not supported"),
    (
        "coalesce(email, '') = '' and phone <> ''",
        "have only a phone number: signing in by phone is not supported",
    ),
    ("is_second", "are imported without their address, because another account has the same one"),
];

/// In Supabase, an account with single sign-on may have the address of another account.
const FIND_SECOND: &str = "
update import_staging.users as again set is_second = true from (
  select id, row_number() over (partition by lower(email) order by is_sso_user, id) as number from import_staging.users where email <> ''
) as numbered where again.id = numbered.id and numbered.number > 1";

/// Triggers complete missing values. The one for new accounts reads the role from `raw_app_meta_data`: without it, a dump can't
/// create admins. It also grants the role that `user_type` names, and rejects values other than `USER_TYPES`, so those are added
/// afterwards.
const CORRECT: &str = r#"
update import_staging.users set role = 'authenticated', metadata = raw_user_meta_data,
  email = case when is_second is null then email end,
  phone = case when phone ~ '^[1-9][0-9]{1,14}$' then phone end,
  raw_app_meta_data = case when jsonb_typeof(raw_app_meta_data) = 'object' then raw_app_meta_data - 'marketplace_role' end,
  raw_user_meta_data = case when jsonb_typeof(raw_user_meta_data) <> 'object' then null
    when deleted_at is not null or raw_user_meta_data ->> 'user_type' not in (USER_TYPES)
    then raw_user_meta_data - 'user_type' else raw_user_meta_data end;
update import_staging.identities set id = gen_random_uuid() where id is null"#;

const COMPLETE: &str = "
update auth.users set raw_user_meta_data = metadata from import_staging.users as staged
where users.id = staged.id and jsonb_typeof(metadata) = 'object' and users.raw_user_meta_data is distinct from metadata";

const KNOWN_ACCOUNTS: &str = "
select coalesce(email, id::text) from auth.users
where id in (select id from import_staging.users) or email in (select lower(email) from import_staging.users) order by 1";

const KNOWN_BUCKETS: &str =
    "delete from import_staging.buckets where id in (select id from storage.buckets) returning id";

const PROVIDERS: &str = "
select provider, count(*) from import_staging.identities where provider <> 'email' group by 1 order by 1";

impl Job<'_> {
    /// Without `--apply`, the transaction is rolled back.
    ///
    /// # Errors
    /// When a row does not fit, an account exists already, or a file is missing.
    pub async fn import_rows(&mut self, loaded: &mut PgConnection) -> anyhow::Result<()> {
        let login = sign_in(&self.database).await?;
        let imported = self.import_as(&login.url, loaded).await;
        login.end().await?;
        imported
    }

    async fn import_as(&mut self, login: &Secret, loaded: &mut PgConnection) -> anyhow::Result<()> {
        let mut connection = self.database.connect_url(login).await?;
        let mut transaction = connection.begin().await?;
        let settings = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0";
        transaction.execute(settings).await?;
        for (table, columns, _) in TABLES {
            stage(&mut transaction, loaded, table, columns).await.with_context(|| table.to_owned())?;
        }
        check(&mut transaction, &mut self.report).await?;
        self.store_files(&mut transaction).await?;
        for (table, columns, what) in TABLES {
            let from = staged(table);
            let insert = format!("insert into {table} ({columns}) select {columns} from {from}");
            let inserted = transaction.execute(AssertSqlSafe(insert)).await;
            let inserted = inserted.with_context(|| format!("the {what} can't be imported"))?;
            self.report.counts.push((what.to_owned(), inserted.rows_affected()));
        }
        transaction.execute(COMPLETE).await?;
        if self.options.apply {
            transaction.commit().await.context("the accounts can't be imported")?;
        }
        Ok(())
    }
}

/// Creates the tables, which also remember what an import adds until it is complete (see [`super::undo`]), and the login.
async fn sign_in(database: &Database) -> anyhow::Result<TemporaryLogin> {
    let mut admin = database.connect().await?;
    let tables = TABLES.map(|(table, columns, _)| {
        let name = staged(table);
        format!(
            "create table {name} as select {columns} from {table} with no data;
             alter table {name} add number bigint generated always as identity primary key;"
        )
    });
    let staging = format!(
        "drop schema if exists import_staging cascade; create schema import_staging; {}
         alter table import_staging.users add metadata jsonb, add is_second boolean",
        tables.concat()
    );
    sqlx::raw_sql(AssertSqlSafe(staging)).execute(&mut admin).await?;
    let mut login = TemporaryLogin::create(database, None).await?;
    login.run(&import_owner::PERMANENT.replace("import_owner", "LOGIN")).await?;
    login.run(PRIVILEGES).await?;
    admin.close().await?;
    Ok(login)
}

/// `import_staging.users` for `auth.users`.
fn staged(table: &str) -> String {
    format!("import_staging.{}", table.split('.').next_back().unwrap_or(table))
}

/// Copies the columns that both databases have.
async fn stage(
    connection: &mut PgConnection,
    scratch: &mut PgConnection,
    table: &str,
    columns: &str,
) -> anyhow::Result<()> {
    let present = "select attname::text from pg_attribute where attrelid = to_regclass($1) and attnum > 0
                     and attname = any (string_to_array($2, ', '))";
    let present: Vec<String> =
        sqlx::query_scalar(present).bind(table).bind(columns).fetch_all(&mut *scratch).await?;
    let has = |name: &str| present.iter().any(|column| column == name);
    ensure!(
        table != "auth.users" || has("id") && has("email"),
        "auth.users of the dump has no ids or no addresses"
    );
    if present.is_empty() {
        return Ok(());
    }
    // Until 2023, the provider's id was the identity's id.
    let renamed = if table == "auth.identities" && !has("provider_id") { "id" } else { "" };
    let to = present.iter().map(|column| if column == renamed { "provider_id" } else { column });
    let to = format!("copy {} ({}) from stdin", staged(table), to.collect::<Vec<_>>().join(", "));
    let from = format!("copy (select {}::text from {table}) to stdout", present.join("::text, "));
    let mut from = scratch.copy_out_raw(&from).await?;
    let mut to = connection.copy_in_raw(&to).await?;
    while let Some(chunk) = from.try_next().await? {
        to.send(&chunk[..]).await?;
    }
    to.finish().await?;
    Ok(())
}

/// Corrects the rows, and reports what changes for users.
async fn check(connection: &mut PgConnection, report: &mut Report) -> anyhow::Result<()> {
    connection.execute(FIND_SECOND).await?;
    for (condition, why) in NOTES {
        let query = format!("select count(*) from import_staging.users where {condition}");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut *connection).await?;
        if count > 0 {
            report.leave(format!("{count} accounts"), "", why);
        }
    }
    let providers: Vec<(String, i64)> = sqlx::query_as(PROVIDERS).fetch_all(&mut *connection).await?;
    for (provider, count) in providers {
        let why = "are imported, but signing in with this provider is not supported: their users set a password by e-mail";
        report.leave(format!("{count} identities of"), provider, why);
    }
    let correct = CORRECT.replace("USER_TYPES", &site::USER_TYPES.map(|name| format!("'{name}'")).join(", "));
    sqlx::raw_sql(AssertSqlSafe(correct)).execute(&mut *connection).await?;
    let accounts: Vec<String> = sqlx::query_scalar(KNOWN_ACCOUNTS).fetch_all(&mut *connection).await?;
    if !accounts.is_empty() {
        bail!(
            "{} accounts of the dump already exist in Serasi: {}; delete them there or in the dump's project first",
            accounts.len(),
            first_of(&accounts, SHOWN, ", ")
        );
    }
    let buckets: Vec<String> = sqlx::query_scalar(KNOWN_BUCKETS).fetch_all(connection).await?;
    for name in buckets {
        report.leave("bucket", name, "already exists and keeps its settings; its objects are imported");
    }
    Ok(())
}
