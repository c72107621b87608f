//! The connection that runs a dump. Its role, `import_owner`, is not a superuser, so no dump can access the server's files or
//! programs. The role owns what the dump creates, and can log in only while a dump runs.

use std::time::Duration;

use anyhow::Context;
use platform::random;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::time::timeout;

use super::contents::{Contents, LeftOut};
use super::extensions::Wanted;
use super::schemas::{OWNER, Origin};
use crate::database::Database;

/// Privileges that the role keeps, because imported policies, functions and references need them. They do not cover passwords
/// or tokens.
const PERMANENT: &str = "
grant usage on schema public, auth, storage, extensions to import_owner;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email(), storage.foldername(text), storage.filename(text),
  storage.extension(text), storage.path_parts(text), storage.folder_key(text), storage.sort_key(text) to import_owner;
grant select (id, aud, role, email, email_confirmed_at, confirmed_at, phone, phone_confirmed_at, last_sign_in_at, raw_app_meta_data,
  raw_user_meta_data, is_anonymous, is_sso_user, banned_until, deleted_at, created_at, updated_at), references (id)
  on auth.users to import_owner;
grant select, references on storage.buckets, storage.objects to import_owner";

const KEEPS_RIGHTS: &str =
    "the role import_owner keeps its rights until the next `serasi up` or `serasi migrate`";

/// Privileges that the role has only while a dump runs.
const FOR_A_DUMP: &str = "grant create on schema public to import_owner";

/// Privileges for importing accounts, buckets and objects from their staging tables. No code of the dump may run while the role has
/// them.
const GRANT_ROWS: &str = "
grant insert on auth.users, auth.identities, storage.buckets, storage.objects to import_owner;
grant update (raw_user_meta_data) on auth.users to import_owner;
grant select (id, provider_id, provider) on auth.identities to import_owner";
const REVOKE_ROWS: &str = "
revoke insert on auth.users, auth.identities, storage.buckets, storage.objects from import_owner;
revoke update (raw_user_meta_data) on auth.users from import_owner;
revoke select on auth.identities from import_owner";

/// A superuser owns the staging tables, so that a dump can't add triggers or rules to them.
const STAGING: &str = "drop schema if exists import_staging cascade; create schema import_staging;
grant usage on schema import_staging to import_owner";

/// Additional privileges for a restore: a superuser's objects in the backup may refer to Serasi's tables.
const FOR_A_RESTORE: &str = "
grant usage on schema app to import_owner;
grant references on all tables in schema app to import_owner";

/// Lets the role create policies and triggers on Serasi's tables. As `serasi_owner`, code of a dump could add a trigger that a
/// superuser fires later, so no code of a dump may run while the role has this membership.
pub const GRANT_SERASI_OWNER: &str = "grant serasi_owner to import_owner";
pub const REVOKE_SERASI_OWNER: &str = "revoke serasi_owner from import_owner";

/// Triggers of a dump on Serasi's tables run with the role's privileges, also when a service or a superuser changes a row.
pub const CONFINE_TRIGGERS: &str = "
do $$
declare
  imported regprocedure;
begin
  for imported in
    select distinct tgfoid from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid and proowner = to_regrole('import_owner') and not prosecdef
    join pg_class on pg_class.oid = tgrelid and relowner = to_regrole('serasi_owner')
  loop
    execute format('alter function %s security definer', imported);
  end loop;
end $$";

/// Runs first and in its own transaction, so that nothing that a dump did to Serasi's tables can prevent it.
const LOCK_OUT: &str = "
alter role import_owner nologin password null;
revoke serasi_owner from import_owner";

/// Revoking a privilege on a table also revokes it on the table's columns.
const AFTER_THE_IMPORT: &str = "
revoke create on schema public from import_owner;
revoke insert, update on auth.users, auth.identities, storage.buckets, storage.objects from import_owner;
revoke select on auth.identities from import_owner;
revoke references on all tables in schema app from import_owner;
revoke usage on schema app from import_owner;
drop schema if exists import_staging cascade";

/// Whether an import was killed: the role can log in, but has no connection, which a running import would have.
const WAS_KILLED: &str = "
select exists (select from pg_catalog.pg_roles where rolname = 'import_owner' and rolcanlogin)
  and not exists (select from pg_catalog.pg_stat_activity where usename = 'import_owner')";

/// Ends the connection that runs the dump, and waits until its transaction is rolled back.
const TERMINATE: &str = "select pg_catalog.pg_terminate_backend($1, 10000)";

/// A rollback is immediate unless a statement is still running.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(2);

/// Keeps idle connections open, because firewalls drop those that send nothing for a long time.
const KEEP_ALIVE: &str = "set idle_session_timeout = 0; set tcp_keepalives_idle = 60";

/// Code of a dump can change these settings, so they are set again before each of our own statements with more privileges.
pub const SETTINGS: &str = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '30s'; set local search_path = pg_catalog, pg_temp; set local check_function_bodies = off;
  set local standard_conforming_strings = on; set local transform_null_equals = off; set local client_min_messages = error";

/// Revokes the temporary privileges of the role after an import or restore was killed, and confines the triggers that earlier versions
/// imported.
///
/// # Errors
/// When the database can't be reached.
pub async fn lock_out(database: &Database) -> anyhow::Result<()> {
    let mut connection = database.connect().await?;
    if sqlx::query_scalar(WAS_KILLED).fetch_one(&mut connection).await? {
        revoke(&mut connection).await?;
    }
    connection.execute(CONFINE_TRIGGERS).await?;
    Ok(connection.close().await?)
}

/// The outcome of the import's transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Committed,
    RolledBack,
    /// The database could not be queried.
    Unknown,
}

pub struct Session {
    /// Runs the dump, in one transaction.
    pub owner: PgConnection,
    /// The server process of the connection `owner`.
    backend: i32,
    /// A superuser's connection. Holds the locks that keep other imports and the sweep from running.
    pub locks: PgConnection,
    database: Database,
    /// Whether the import created the role. If the import fails, the role and these extensions are dropped.
    created_role: bool,
    created_extensions: Vec<String>,
    /// Privileges that the import grants to the API's roles.
    grants: Vec<String>,
    /// Extensions that are not available.
    pub missing: Vec<LeftOut>,
}

impl Session {
    /// # Errors
    /// When the role can't be created or can't log in.
    pub async fn begin(
        database: &Database,
        mut locks: PgConnection,
        origin: Origin,
        contents: &Contents,
    ) -> anyhow::Result<Self> {
        let created_role = create_role(&mut locks).await.context("the role import_owner can't be created")?;
        let (mut created_extensions, mut grants) = (Vec::new(), Vec::new());
        let prepared = async {
            sqlx::raw_sql(KEEP_ALIVE).execute(&mut locks).await?;
            sqlx::raw_sql(PERMANENT).execute(&mut locks).await?;
            sqlx::raw_sql(FOR_A_DUMP).execute(&mut locks).await?;
            sqlx::raw_sql(AssertSqlSafe(format!("{STAGING};{}", contents.staging())))
                .execute(&mut locks)
                .await?;
            if origin == Origin::Backup {
                sqlx::raw_sql(FOR_A_RESTORE).execute(&mut locks).await?;
            }
            let mut missing = Vec::new();
            let mut wanted =
                Wanted { origin, contents, created: &mut created_extensions, grants: &mut grants };
            for extension in &contents.extensions {
                missing.extend(wanted.add(&mut locks, extension).await?);
            }
            let (owner, backend) = sign_in(database, &mut locks).await?;
            anyhow::Ok((owner, backend, missing))
        };
        match prepared.await {
            Ok((owner, backend, missing)) => Ok(Self {
                owner,
                backend,
                locks,
                database: database.handle(),
                created_role,
                created_extensions,
                grants,
                missing,
            }),
            Err(error) => {
                let _ = revoke(&mut locks).await;
                let _ = drop_created(&mut locks, created_role, &created_extensions).await;
                Err(error)
            }
        }
    }

    /// Ends the transaction. Afterwards, the role only has its permanent privileges, or is dropped.
    ///
    /// # Errors
    /// When the transaction can't be committed, or the role's rights can't be revoked.
    pub async fn end(mut self, commit: bool) -> (Fate, anyhow::Result<()>) {
        // The connection with the locks was idle for as long as the import took, and may be lost.
        let mut admin = match self.database.connect().await {
            Ok(admin) => admin,
            Err(error) => return (Fate::RolledBack, Err(error.context(KEEPS_RIGHTS))),
        };
        let (fate, ended) = match commit {
            true => self.commit(&mut admin).await,
            false => (Fate::RolledBack, Ok(())),
        };
        let left = self.leave(admin, fate).await;
        (fate, ended.and(left))
    }

    async fn commit(&mut self, admin: &mut PgConnection) -> (Fate, anyhow::Result<()>) {
        let id = match self.prepare(admin).await {
            Ok(id) => id,
            Err(error) => return (Fate::RolledBack, Err(error)),
        };
        let sent = self.owner.execute("commit").await;
        let fate = match &sent {
            Ok(_) => Fate::Committed,
            // The connection may have been lost after the commit.
            Err(_) => self.fate_of(admin, &id).await,
        };
        let ended = match fate {
            Fate::Committed => {
                sqlx::raw_sql("commit; notify pgrst, 'reload schema'").execute(admin).await.map(drop)
            }
            Fate::RolledBack | Fate::Unknown => sent.map(drop),
        };
        (fate, ended.context("the import can't be committed"))
    }

    /// Does everything that can fail before the commit, and returns the transaction's id. The API's roles get
    /// their privileges on functions of extensions in a transaction of `admin`, which is committed after the
    /// import.
    async fn prepare(&mut self, admin: &mut PgConnection) -> anyhow::Result<String> {
        self.locks.ping().await.context("the connection with the locks of the import was lost")?;
        let grants = format!("begin;{}", self.grants.join(";"));
        sqlx::raw_sql(AssertSqlSafe(grants)).execute(admin).await?;
        let id = "select pg_catalog.pg_current_xact_id()::pg_catalog.text";
        Ok(sqlx::query_scalar(id).fetch_one(&mut self.owner).await?)
    }

    async fn fate_of(&self, admin: &mut PgConnection, id: &str) -> Fate {
        let _ = sqlx::query(TERMINATE).bind(self.backend).execute(&mut *admin).await;
        let status = "select pg_catalog.pg_xact_status($1::text::xid8)";
        let status = sqlx::query_scalar::<_, Option<String>>(status).bind(id).fetch_one(admin).await;
        match status.ok().flatten().as_deref() {
            Some("committed") => Fate::Committed,
            Some("aborted") => Fate::RolledBack,
            _ => Fate::Unknown,
        }
    }

    async fn leave(mut self, mut admin: PgConnection, fate: Fate) -> anyhow::Result<()> {
        if fate != Fate::Committed {
            let _ = admin.execute("rollback").await;
            // After an interruption, a statement of the dump may still be running, without a time limit.
            let rolled_back = timeout(ROLLBACK_TIMEOUT, self.owner.execute("rollback")).await;
            if !matches!(rolled_back, Ok(Ok(_))) {
                let _ = sqlx::query(TERMINATE).bind(self.backend).execute(&mut admin).await;
            }
        }
        drop(self.owner);
        revoke(&mut admin).await.context(KEEPS_RIGHTS)?;
        if fate == Fate::RolledBack {
            drop_created(&mut admin, self.created_role, &self.created_extensions).await?;
        }
        Ok(admin.close().await?)
    }
}

/// Lends the role its privileges for the rows of the platform's tables.
///
/// # Errors
/// When a statement fails.
pub async fn lend_rows(admin: &mut PgConnection, owner: &mut PgConnection) -> anyhow::Result<()> {
    sqlx::raw_sql(GRANT_ROWS).execute(&mut *admin).await?;
    refresh_privileges(admin, owner).await?;
    sqlx::raw_sql(SETTINGS).execute(owner).await?;
    Ok(())
}

/// # Errors
/// When a statement fails.
pub async fn take_rows_back(admin: &mut PgConnection, owner: &mut PgConnection) -> anyhow::Result<()> {
    sqlx::raw_sql(REVOKE_ROWS).execute(&mut *admin).await?;
    refresh_privileges(admin, owner).await
}

/// Makes the transaction see changed privileges. PostgreSQL processes other sessions' changes when it locks a table that the
/// transaction has not locked yet, so this needs a new one, which code of the dump can't have locked.
///
/// # Errors
/// When a statement fails.
pub async fn refresh_privileges(admin: &mut PgConnection, owner: &mut PgConnection) -> anyhow::Result<()> {
    let table = format!("import_staging.\"{}\"", random::token(20));
    let create = format!("create table {table} (); grant select on {table} to import_owner");
    sqlx::raw_sql(AssertSqlSafe(create)).execute(admin).await?;
    sqlx::raw_sql(AssertSqlSafe(format!("select from {table}"))).execute(owner).await?;
    Ok(())
}

/// Returns whether the role is new.
async fn create_role(admin: &mut PgConnection) -> sqlx::Result<bool> {
    let exists = "select exists (select from pg_catalog.pg_roles where rolname = $1)";
    if sqlx::query_scalar(exists).bind(OWNER).fetch_one(&mut *admin).await? {
        return Ok(false);
    }
    admin
        .execute("create role import_owner nologin noinherit bypassrls nosuperuser nocreatedb nocreaterole noreplication")
        .await?;
    Ok(true)
}

/// Connects as the role. Also returns the id of the server process.
async fn sign_in(database: &Database, admin: &mut PgConnection) -> anyhow::Result<(PgConnection, i32)> {
    let password = random::token(40);
    let login: String = sqlx::query_scalar(
        "select format('grant create on database %I to import_owner;
           alter role import_owner login password %L valid until %L',
           current_database(), $1::text, now() + interval '1 day')",
    )
    .bind(&password)
    .fetch_one(&mut *admin)
    .await?;
    sqlx::raw_sql(AssertSqlSafe(login)).execute(admin).await?;
    let mut owner = database.connect_as(OWNER, &Secret::new(password)).await?;
    sqlx::raw_sql(KEEP_ALIVE).execute(&mut owner).await?;
    sqlx::raw_sql(AssertSqlSafe(format!("begin; {SETTINGS}"))).execute(&mut owner).await?;
    let backend = sqlx::query_scalar("select pg_catalog.pg_backend_pid()").fetch_one(&mut owner).await?;
    Ok((owner, backend))
}

async fn revoke(admin: &mut PgConnection) -> anyhow::Result<()> {
    sqlx::raw_sql(LOCK_OUT).execute(&mut *admin).await?;
    let on_database: String = sqlx::query_scalar(
        "select format('revoke create, temporary on database %I from import_owner', current_database())",
    )
    .fetch_one(&mut *admin)
    .await?;
    admin.execute(AssertSqlSafe(on_database)).await?;
    sqlx::raw_sql(AFTER_THE_IMPORT).execute(admin).await?;
    Ok(())
}

async fn drop_created(admin: &mut PgConnection, role: bool, extensions: &[String]) -> anyhow::Result<()> {
    for extension in extensions {
        admin.execute(AssertSqlSafe(format!("drop extension if exists {extension}"))).await?;
    }
    if role {
        admin.execute("drop owned by import_owner").await?;
        // Another database of this server may have imported something, too.
        let _ = admin.execute("drop role import_owner").await;
    }
    Ok(())
}
