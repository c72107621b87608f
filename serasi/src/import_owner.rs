//! The role that owns imported and restored objects, and the sessions that create them. The role is not a superuser, so no dump can
//! access the server's files or programs. It can't log in: a login of its own, which ends with the command, acts as the role.

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::database::statements::execute_format;
use crate::database::temporary_login::TemporaryLogin;
use crate::database::{Database, is_superuser};

/// Schemas that Serasi creates and manages. `public` is shared with the operator.
pub const OURS: [&str; 6] = ["app", "auth", "extensions", "migration", "serasi", "storage"];

/// Like Supabase's `postgres`, it reads the rows of all users in its security definer functions.
const CREATE: &str = "
do $$ begin
  if to_regrole('import_owner') is null then
    create role import_owner nologin noinherit bypassrls nosuperuser nocreatedb nocreaterole noreplication;
  end if;
end $$";

/// Privileges that the role keeps, because imported policies, functions and references need them. They do not cover passwords
/// or tokens.
pub const PERMANENT: &str = "
grant usage on schema public, auth, storage, extensions to import_owner;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email(), storage.foldername(text), storage.filename(text),
  storage.extension(text), storage.path_parts(text), storage.folder_key(text), storage.sort_key(text) to import_owner;
grant select (id, aud, role, email, email_confirmed_at, confirmed_at, phone, phone_confirmed_at, last_sign_in_at, raw_app_meta_data,
  raw_user_meta_data, is_anonymous, is_sso_user, banned_until, deleted_at, created_at, updated_at), references (id)
  on auth.users to import_owner;
grant select, references on storage.buckets, storage.objects to import_owner";

/// Privileges that the role has only while a dump runs. The operator's objects may refer to Serasi's tables.
const FOR_A_DUMP: &str = "
grant create on schema public to import_owner;
do $$ begin
  execute format('grant create on database %I to import_owner', current_database());
  if to_regnamespace('app') is null then return; end if;
  grant usage on schema app to import_owner;
  grant references on all tables in schema app to import_owner;
end $$";

/// Also those of a killed import of an earlier version.
const REVOKE: &str = "
do $$ begin
  if to_regrole('import_owner') is null then return; end if;
  set local client_min_messages = error;
  alter role import_owner nologin password null;
  revoke serasi_owner from import_owner;
  revoke create on schema public from import_owner;
  execute format('revoke create, temporary on database %I from import_owner', current_database());
  if to_regclass('auth.identities') is null then return; end if;
  revoke insert, update on auth.users, auth.identities, storage.buckets, storage.objects from import_owner;
  revoke select on auth.identities from import_owner;
  if to_regnamespace('app') is null then return; end if;
  revoke references on all tables in schema app from import_owner;
  revoke usage on schema app from import_owner;
end $$";

/// Whether a dump is running, as the role.
const IS_RUNNING: &str = "
select exists (select from pg_catalog.pg_stat_activity join pg_catalog.pg_auth_members on member = usesysid
  where roleid = pg_catalog.to_regrole('import_owner') and datname = current_database())";

/// Triggers of a dump on Serasi's tables run with the role's privileges, also when a service or a superuser changes a row.
const CONFINE_TRIGGERS: &str = "
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

/// Imported policies have an effect only if their roles have privileges on the tables of the storage service.
const GRANT_TO_POLICIES: &str = "
select serasi.confine_imported_policies('storage.objects'), serasi.confine_imported_policies('storage.buckets');
select serasi.grant_to_imported_policies('storage.objects'), serasi.grant_to_imported_policies('storage.buckets')";

/// Revokes what a killed import or restore left, and confines the triggers that earlier versions imported. Only superusers can run these.
///
/// # Errors
/// When the database can't be reached.
pub async fn lock_out(database: &Database) -> anyhow::Result<()> {
    let mut connection = database.connect().await?;
    if !is_superuser(&mut connection).await? {
        return Ok(connection.close().await?);
    }
    if !sqlx::query_scalar::<_, bool>(IS_RUNNING).fetch_one(&mut connection).await? {
        connection.execute(REVOKE).await?;
    }
    connection.execute(CONFINE_TRIGGERS).await?;
    Ok(connection.close().await?)
}

/// Ends the sessions of a killed import or restore, whose statements may still run and hold locks.
///
/// # Errors
/// When the statement fails.
pub async fn end_sessions(connection: &mut PgConnection) -> sqlx::Result<()> {
    let terminate = "select pg_catalog.pg_terminate_backend(pid, 10000) from pg_catalog.pg_stat_activity
                     where usename ~ '^serasi_[a-z0-9]{20}$' and datname = pg_catalog.current_database()";
    connection.execute(terminate).await.map(drop)
}

/// Lets a new login act as the role, and create objects. Event triggers and triggers do not run in its sessions.
///
/// # Errors
/// When a statement fails.
pub async fn sign_in(database: &Database) -> anyhow::Result<TemporaryLogin> {
    let mut connection = database.connect().await?;
    for statements in [CREATE, PERMANENT, FOR_A_DUMP] {
        connection.execute(statements).await?;
    }
    connection.close().await?;
    let mut login = TemporaryLogin::create(database, Some("import_owner")).await?;
    let settings =
        "alter role LOGIN set role = import_owner; alter role LOGIN set session_replication_role = replica";
    login.run(settings).await?;
    Ok(login)
}

/// Ends the login and revokes what the role has only while a dump runs.
///
/// # Errors
/// When a statement fails.
pub async fn sign_out(database: &Database, login: TemporaryLogin) -> anyhow::Result<()> {
    login.end().await?;
    let mut connection = database.connect().await?;
    let revoked = connection.execute(REVOKE).await;
    revoked
        .context("the role import_owner keeps its rights until the next `serasi up` or `serasi migrate`")?;
    Ok(connection.close().await?)
}

/// The operator's policies and triggers on Serasi's tables.
#[derive(Serialize, Deserialize, Default)]
pub struct OnOurTables {
    policies: Vec<Object>,
    triggers: Vec<Object>,
}

/// A policy or a trigger.
#[derive(Serialize, Deserialize, sqlx::FromRow)]
struct Object {
    statement: String,
    table: String,
    name: String,
    #[serde(default)]
    is_enabled: bool,
}

/// Policies of an import have a comment that says so.
const POLICIES: &str = "
select polrelid::regclass::text as table, policyname::text as name, true as is_enabled,
  format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', policyname, polrelid::regclass, permissive, cmd,
    (select string_agg(quote_ident(role), ', ') from unnest(roles) as role))
  || coalesce(' USING (' || qual || ')', '') || coalesce(' WITH CHECK (' || with_check || ')', '') as statement
from pg_policies join pg_policy on polname = policyname and polrelid = to_regclass('storage.' || tablename)
where schemaname = 'storage' and tablename in ('objects', 'buckets') and ($1 or obj_description(oid, 'pg_policy') = 'imported by serasi')
order by 1, 2";

const TRIGGERS: &str = "
select tgrelid::pg_catalog.regclass::text as table, tgname::text as name,
  tgenabled <> 'D' as is_enabled, pg_catalog.pg_get_triggerdef(pg_trigger.oid) as statement
from pg_catalog.pg_trigger
join pg_catalog.pg_class on pg_class.oid = tgrelid join pg_catalog.pg_proc on pg_proc.oid = tgfoid
where not tgisinternal and relnamespace::pg_catalog.regnamespace::text in ('auth', 'storage')
  and pronamespace::pg_catalog.regnamespace::text <> all ($1) and pronamespace <> 'pg_catalog'::pg_catalog.regnamespace
  and proowner is distinct from pg_catalog.to_regrole('serasi_owner')::pg_catalog.oid
order by 1, 2";

/// Those of this database. `all_policies`: also those without the comment of an import.
///
/// # Errors
/// When the database can't be queried.
pub async fn on_our_tables(connection: &mut PgConnection, all_policies: bool) -> sqlx::Result<OnOurTables> {
    let policies = sqlx::query_as(POLICIES).bind(all_policies).fetch_all(&mut *connection).await?;
    let triggers = sqlx::query_as(TRIGGERS).bind(&OURS[..]).fetch_all(connection).await?;
    Ok(OnOurTables { policies, triggers })
}

/// Completes "left out, because".
pub const WHY_LEFT_OUT: &str = "it is a BEFORE trigger, calls functions in its condition, or your schemas have domains (review it, then create it over DB_URL)";

/// Domains of a dump. A literal of such a type, or of one that contains it, is checked while a statement is parsed.
const DOMAINS: &str = "
select exists (select from pg_catalog.pg_type
  where typtype = 'd' and typnamespace::pg_catalog.regnamespace::text not in ('pg_catalog', 'information_schema', 'app', 'serasi')
    and not exists (select from pg_catalog.pg_depend where classid = 'pg_catalog.pg_type'::pg_catalog.regclass
      and objid = pg_type.oid and deptype = 'e'))";

/// Triggers that would give a dump more rights. A BEFORE trigger could change the row, for example the role of a new account.
/// PostgreSQL evaluates a WHEN condition as the user who changes the row, so it may only compare columns.
const HAS_UNSAFE_TRIGGER: &str = "
select exists (
  select from pg_catalog.pg_trigger
  join pg_catalog.pg_class on pg_class.oid = tgrelid and relowner = pg_catalog.to_regrole('serasi_owner')
  join pg_catalog.pg_proc on pg_proc.oid = tgfoid and proowner = pg_catalog.to_regrole('import_owner')
  where not tgisinternal and (
    tgtype::integer & 66 <> 0
    or tgqual::text ~ 'FUNCEXPR|COERCEVIAIO|ARRAYCOERCE|COERCETODOMAIN|XMLEXPR|JSON'
    or exists (
      select from pg_catalog.pg_depend where classid = 'pg_catalog.pg_trigger'::pg_catalog.regclass and objid = pg_trigger.oid
        and refobjid <> tgfoid and refclassid in ('pg_catalog.pg_proc'::pg_catalog.regclass,
          'pg_catalog.pg_operator'::pg_catalog.regclass, 'pg_catalog.pg_type'::pg_catalog.regclass))))";

/// The number of policies and triggers to which a dump may add none: those on other tables, and triggers that call other functions.
const ELSEWHERE: &str = "
select (select count(*) from pg_catalog.pg_policy
    where polrelid not in (pg_catalog.to_regclass('storage.objects'), pg_catalog.to_regclass('storage.buckets')))
  + (select count(*) from pg_catalog.pg_trigger join pg_catalog.pg_class on pg_class.oid = tgrelid
      join pg_catalog.pg_proc on pg_proc.oid = tgfoid
    where relnamespace::pg_catalog.regnamespace::text not in ('auth', 'storage')
      or proowner is distinct from pg_catalog.to_regrole('import_owner')::pg_catalog.oid)";

impl OnOurTables {
    pub fn is_empty(&self) -> bool {
        self.policies.is_empty() && self.triggers.is_empty()
    }

    /// Creates them without running code of a dump: each statement can only create a policy or a trigger, and contains no value whose
    /// type has checks. Policies need the owner of Serasi's tables, triggers `import_owner`. Returns the statements that were left out.
    ///
    /// # Errors
    /// When a statement fails. In that case, nothing has changed.
    pub async fn create(&self, connection: &mut PgConnection) -> anyhow::Result<Vec<String>> {
        let mut transaction = connection.begin().await?;
        if sqlx::query_scalar(DOMAINS).fetch_one(&mut *transaction).await? {
            let all = self.policies.iter().chain(&self.triggers);
            return Ok(all.map(|object| object.statement.clone()).collect());
        }
        let elsewhere: i64 = sqlx::query_scalar(ELSEWHERE).fetch_one(&mut *transaction).await?;
        let mut left_out = Vec::new();
        for object in &self.policies {
            let table = object.create("serasi_owner", &mut transaction, &["CREATE POLICY "]).await?;
            let mark = "comment on policy %I on %s is 'imported by serasi'";
            execute_format(&mut transaction, mark, &[&object.name, &table]).await?;
        }
        if !self.policies.is_empty() {
            let grant = format!("set local role serasi_owner; {GRANT_TO_POLICIES}; reset role");
            sqlx::raw_sql(AssertSqlSafe(grant)).execute(&mut *transaction).await?;
        }
        transaction.execute("grant trigger on all tables in schema auth, storage to import_owner").await?;
        for object in &self.triggers {
            let mut savepoint = transaction.begin().await?;
            let kinds = ["CREATE TRIGGER ", "CREATE CONSTRAINT TRIGGER "];
            let table = object.create("import_owner", &mut savepoint, &kinds).await?;
            if !object.is_enabled {
                let disable = "alter table %s disable trigger %I";
                execute_format(&mut savepoint, disable, &[&table, &object.name]).await?;
            }
            if sqlx::query_scalar(HAS_UNSAFE_TRIGGER).fetch_one(&mut *savepoint).await? {
                savepoint.rollback().await?;
                left_out.push(object.statement.clone());
            } else {
                savepoint.commit().await?;
            }
        }
        transaction.execute("revoke trigger on all tables in schema auth, storage from import_owner").await?;
        let after: i64 = sqlx::query_scalar(ELSEWHERE).fetch_one(&mut *transaction).await?;
        ensure!(after == elsewhere, "it is damaged: a policy or trigger is described wrongly");
        transaction.execute(CONFINE_TRIGGERS).await?;
        transaction.commit().await?;
        Ok(left_out)
    }
}

/// The name of a table, as PostgreSQL quotes it, and how many policies and triggers of this name it has.
const NAMED: &str = "
select $1::text::pg_catalog.regclass::text,
  (select pg_catalog.count(*) from pg_catalog.pg_policy where polrelid = $1::text::pg_catalog.regclass and polname = $2)
  + (select pg_catalog.count(*) from pg_catalog.pg_trigger where tgrelid = $1::text::pg_catalog.regclass and tgname = $2)";

impl Object {
    /// Runs its statement, which must be of one of these kinds and create the object that it describes: another one of that name would
    /// be changed afterwards. PostgreSQL rejects several statements in one prepared text. Returns the name of the table.
    async fn create(
        &self,
        role: &str,
        connection: &mut PgConnection,
        kinds: &[&str],
    ) -> anyhow::Result<String> {
        let Self { statement, table, name, .. } = self;
        ensure!(
            kinds.iter().any(|kind| statement.starts_with(kind)),
            "it is damaged: {statement:?} creates no policy or trigger"
        );
        let named = || sqlx::query_as::<_, (String, i64)>(NAMED).bind(table).bind(name);
        let (table, before) = named().fetch_one(&mut *connection).await?;
        connection.execute(AssertSqlSafe(format!("set local role {role}"))).await?;
        let created =
            sqlx::query(AssertSqlSafe(statement.as_str())).persistent(false).execute(&mut *connection).await;
        created.with_context(|| statement.to_owned())?;
        connection.execute("reset role").await?;
        let (_, after) = named().fetch_one(&mut *connection).await?;
        ensure!(after == before + 1, "it is damaged: {statement:?} is described wrongly");
        Ok(table)
    }
}
