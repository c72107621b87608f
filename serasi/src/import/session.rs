//! The connection that runs a dump. Its role is no superuser: a dump can't reach the server's files or programs, whatever it
//! contains. The role owns what the dump creates, and may sign in only while an import runs.

use anyhow::Context;
use platform::random;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::source::Left;
use super::tokens::Name;
use crate::database::Database;

/// Owns imported objects. Like Supabase's `postgres`, it reads the rows of all users in its security definer functions.
pub const OWNER: &str = "import_owner";

/// What the role may do for good: what imported policies, functions and references need. No password and no token.
const FOR_GOOD: &str = "
grant usage on schema public, auth, storage, extensions to import_owner;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email(), storage.foldername(text), storage.filename(text),
  storage.extension(text), storage.path_parts(text), storage.folder_key(text), storage.sort_key(text) to import_owner;
grant select (id, aud, role, email, email_confirmed_at, confirmed_at, phone, phone_confirmed_at, last_sign_in_at, raw_app_meta_data,
  raw_user_meta_data, is_anonymous, is_sso_user, banned_until, deleted_at, created_at, updated_at), references (id)
  on auth.users to import_owner;
grant select, references on storage.buckets, storage.objects to import_owner";

const FOR_THE_IMPORT: &str = "
grant create on schema public to import_owner;
grant insert on auth.users, auth.identities, storage.buckets, storage.objects to import_owner;
grant update (raw_user_meta_data) on auth.users to import_owner;
grant select (id, provider_id, provider) on auth.identities to import_owner;
grant serasi_owner to import_owner";

const AFTER_THE_IMPORT: &str = "
alter role import_owner nologin password null;
revoke create on schema public from import_owner;
revoke insert, update on auth.users, auth.identities, storage.buckets, storage.objects from import_owner;
revoke update (raw_user_meta_data) on auth.users from import_owner;
revoke select on auth.identities from import_owner;
revoke select (id, provider_id, provider) on auth.identities from import_owner;
revoke serasi_owner from import_owner";

/// After an import that was killed. One that runs is connected.
const LOCK_OUT: &str = "do $$ begin
  if exists (select from pg_catalog.pg_roles where rolname = 'import_owner' and rolcanlogin)
    and not exists (select from pg_catalog.pg_stat_activity where usename = 'import_owner') then
    alter role import_owner nologin password null;
    revoke create on schema public from import_owner;
    revoke insert, update on auth.users, auth.identities, storage.buckets, storage.objects from import_owner;
    revoke serasi_owner from import_owner;
  end if;
end $$";

const SETTINGS: &str =
    "begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '30s'; set local search_path = ''; set local check_function_bodies = off;
  set local standard_conforming_strings = on; set local client_min_messages = error";

/// Takes the rights of an import away that was killed.
///
/// # Errors
/// When the database can't be reached.
pub async fn lock_out(database: &Database) -> anyhow::Result<()> {
    let mut connection = database.connect().await?;
    sqlx::raw_sql(LOCK_OUT).execute(&mut connection).await?;
    Ok(connection.close().await?)
}

pub struct Session {
    /// Runs the dump, in one transaction.
    pub owner: PgConnection,
    admin: PgConnection,
    /// What did not exist before.
    created_role: bool,
    created_extensions: Vec<String>,
    /// Privileges that the API's roles get with the import.
    grants: Vec<String>,
    /// Extensions that are not available here.
    pub missing: Vec<Left>,
}

impl Session {
    /// # Errors
    /// When the role can't be made or can't sign in.
    pub async fn begin(
        database: &Database,
        mut admin: PgConnection,
        extensions: impl IntoIterator<Item = &Name>,
    ) -> anyhow::Result<Self> {
        let password = random::token(40);
        let exists = "select exists (select from pg_catalog.pg_roles where rolname = $1)";
        let exists: bool = sqlx::query_scalar(exists).bind(OWNER).fetch_one(&mut admin).await?;
        if !exists {
            let create = "create role import_owner nologin noinherit bypassrls nosuperuser nocreatedb nocreaterole noreplication";
            admin.execute(create).await.context("the role import_owner can't be created")?;
        }
        let (mut created_extensions, mut grants) = (Vec::new(), Vec::new());
        let prepared = async {
            sqlx::raw_sql(FOR_GOOD).execute(&mut admin).await?;
            sqlx::raw_sql(FOR_THE_IMPORT).execute(&mut admin).await?;
            let mut missing = Vec::new();
            for extension in extensions {
                missing.extend(
                    add_extension(&mut admin, extension, &mut created_extensions, &mut grants).await?,
                );
            }
            let login: String = sqlx::query_scalar(
                "select format('grant create, temporary on database %I to import_owner;
                   alter role import_owner login password %L valid until %L',
                   current_database(), $1::text, now() + interval '1 day')",
            )
            .bind(&password)
            .fetch_one(&mut admin)
            .await?;
            sqlx::raw_sql(AssertSqlSafe(login)).execute(&mut admin).await?;
            let mut owner = database.connect_as(OWNER, &Secret::new(password)).await?;
            sqlx::raw_sql(SETTINGS).execute(&mut owner).await?;
            anyhow::Ok((owner, missing))
        };
        match prepared.await {
            Ok((owner, missing)) => {
                Ok(Self { owner, admin, created_role: !exists, created_extensions, grants, missing })
            }
            Err(error) => {
                let _ = leave(&mut admin, !exists, &created_extensions).await;
                Err(error)
            }
        }
    }

    /// Ends the transaction. Whatever happened, the role then has only what it needs for good, or is gone.
    ///
    /// # Errors
    /// When the transaction can't be committed, or the role keeps its rights.
    pub async fn end(mut self, commit: bool) -> anyhow::Result<()> {
        if commit && !self.grants.is_empty() {
            sqlx::raw_sql(AssertSqlSafe(self.grants.join(";"))).execute(&mut self.admin).await?;
        }
        let ended = self.owner.execute(if commit { "commit" } else { "rollback" }).await;
        let committed = commit && ended.is_ok();
        let _ = self.owner.close().await;
        let (created_role, extensions) = match committed {
            true => (false, Vec::new()),
            false => (self.created_role, self.created_extensions),
        };
        let left = leave(&mut self.admin, created_role, &extensions).await;
        ended.context("the import can't be committed")?;
        left.context("the role import_owner keeps its rights: import again, or remove them")?;
        if committed {
            self.admin.execute("notify pgrst, 'reload schema'").await?;
        }
        Ok(self.admin.close().await?)
    }
}

async fn leave(admin: &mut PgConnection, drop_role: bool, extensions: &[String]) -> anyhow::Result<()> {
    let on_database: String = sqlx::query_scalar(
        "select format('revoke create, temporary on database %I from import_owner', current_database())",
    )
    .fetch_one(&mut *admin)
    .await?;
    sqlx::raw_sql(AFTER_THE_IMPORT).execute(&mut *admin).await?;
    admin.execute(AssertSqlSafe(on_database)).await?;
    for extension in extensions {
        admin.execute(AssertSqlSafe(format!("drop extension if exists {extension}"))).await?;
    }
    if drop_role {
        admin.execute("drop owned by import_owner").await?;
        // Another database of this server may have imported something, too.
        let _ = admin.execute("drop role import_owner").await;
    }
    Ok(())
}

/// Only trusted extensions, and only where Supabase has them. Who may call their functions here is as there: everybody.
async fn add_extension(
    admin: &mut PgConnection,
    extension: &Name,
    created: &mut Vec<String>,
    grants: &mut Vec<String>,
) -> anyhow::Result<Option<Left>> {
    let left = |why| Some(Left { kind: "extension".into(), name: extension.name.clone(), why });
    let found: Option<(String, bool)> = sqlx::query_as(
        "select quote_ident(name), exists (select from pg_catalog.pg_extension where extname = name)
         from pg_catalog.pg_available_extension_versions where name = $1 and (trusted or installed) limit 1",
    )
    .bind(&extension.name)
    .fetch_optional(&mut *admin)
    .await?;
    let Some((quoted, exists)) = found else {
        return Ok(left(
            "left out: it is not available here; tables and functions that use it can't be imported",
        ));
    };
    if extension.schema != "extensions" {
        return Ok(left(
            "left out: only extensions in the schema extensions are created; move it there before the dump",
        ));
    }
    if !exists {
        admin.execute(AssertSqlSafe(format!("create extension {quoted} schema extensions"))).await?;
        created.push(quoted);
    }
    let functions: Vec<String> = sqlx::query_scalar(
        "select 'grant execute on function ' || objid::regprocedure
         from pg_catalog.pg_depend join pg_catalog.pg_extension on pg_extension.oid = refobjid
         where refclassid = 'pg_catalog.pg_extension'::regclass and classid = 'pg_catalog.pg_proc'::regclass
           and deptype = 'e' and extname = $1",
    )
    .bind(&extension.name)
    .fetch_all(&mut *admin)
    .await?;
    let own: Vec<String> = functions.iter().map(|grant| format!("{grant} to {OWNER}")).collect();
    sqlx::raw_sql(AssertSqlSafe(own.join(";"))).execute(&mut *admin).await?;
    grants.extend(functions.iter().map(|grant| format!("{grant} to anon, authenticated, service_role")));
    grants.push("grant usage on schema extensions to anon, authenticated, service_role".to_owned());
    Ok(None)
}
