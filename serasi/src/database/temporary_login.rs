//! Logins for commands that run code of a service. As a superuser, they would also run the functions of imported triggers with
//! all privileges, including the server's files and programs.

use std::convert::Infallible;
use std::time::Duration;

use chrono::TimeDelta;
use platform::clock::Clock;
use platform::random;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::Database;
use super::statements::execute_format;
use super::urls::url_with_login;

/// Longer than any command takes. After a killed one, nobody can use its login.
const LIFE: TimeDelta = TimeDelta::days(1);

/// A login with the privileges of a service's login, or with none. The service's own password is known only with its secret, which a command
/// may not have.
pub struct TemporaryLogin {
    pub url: Secret,
    name: String,
    password: Secret,
    connection: PgConnection,
}

impl TemporaryLogin {
    /// # Errors
    /// When the role can't be created.
    pub async fn create(database: &Database, service: Option<&str>) -> anyhow::Result<Self> {
        let mut connection = database.connect().await?;
        let (name, password) = (format!("serasi_{}", random::token(20)), Secret::new(random::token(40)));
        let until = (Clock::system().now() + LIFE).to_rfc3339();
        // Settings of the service's login do not apply to its members. Without a superuser, only a member can drop what it owns.
        // Warnings of a dump do not fill the server's log, if a superuser can set that.
        let create = "create role %1$I login password %2$L valid until %3$L;
            alter role %1$I set search_path = pg_catalog, pg_temp; grant %1$I to current_user;
            do $$ begin
              if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
                alter role %1$I set log_min_messages = fatal;
              end if;
            end $$";
        execute_format(&mut connection, create, &[&name, password.expose(), &until]).await?;
        if let Some(service) = service {
            execute_format(&mut connection, "grant %I to %I", &[service, &name]).await?;
        }
        let url = url_with_login(database.direct_url(), &name, &password)?;
        Ok(Self { url, name, password, connection })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The login's URL of another database.
    ///
    /// # Errors
    /// When the URL is not one of PostgreSQL.
    pub fn url_of(&self, superuser: &Secret) -> anyhow::Result<Secret> {
        url_with_login(superuser, &self.name, &self.password)
    }

    /// Runs statements about the role, which is `LOGIN` in them. Settings apply to sessions that begin later.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn run(&mut self, statements: &str) -> anyhow::Result<()> {
        let statements = statements.replace("LOGIN", &self.name);
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut self.connection).await?;
        Ok(())
    }

    /// Returns an error once a statement runs for an hour. A dump can change `statement_timeout`, and those of `pg_dump` do.
    ///
    /// # Errors
    /// See above.
    pub async fn overruns(&mut self) -> anyhow::Result<Infallible> {
        let question = "select exists (select from pg_catalog.pg_stat_activity
                          where usename = $1 and state = 'active' and query_start < pg_catalog.now() - interval '1 hour')";
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let overruns = sqlx::query_scalar(question).bind(&self.name).fetch_one(&mut self.connection);
            let overruns: bool = overruns.await?;
            anyhow::ensure!(!overruns, "a statement of the dump runs for more than an hour");
        }
    }

    /// Ends the login's sessions, and drops the role, and its earlier ones that a killed command left.
    ///
    /// # Errors
    /// When the role can't be dropped.
    pub async fn end(mut self) -> anyhow::Result<()> {
        let terminate = "select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = $1";
        sqlx::query(terminate).bind(&self.name).execute(&mut self.connection).await?;
        let drop_role = |name: &str| format!("drop owned by {name} cascade; drop role {name}");
        sqlx::raw_sql(AssertSqlSafe(drop_role(&self.name))).execute(&mut self.connection).await?;
        let expired: Vec<String> = sqlx::query_scalar(
            "select rolname::text from pg_catalog.pg_roles where rolname ~ '^serasi_[a-z0-9]{20}$' and rolvaliduntil < now()",
        )
        .fetch_all(&mut self.connection)
        .await?;
        for name in expired {
            // One may have privileges in another database of the server, whose commands drop it.
            let _ = sqlx::raw_sql(AssertSqlSafe(drop_role(&name))).execute(&mut self.connection).await;
        }
        Ok(self.connection.close().await?)
    }
}

/// Refuses to add rows as a superuser to tables with triggers of an imported project.
///
/// # Errors
/// When there is such a trigger. The message says what to do.
pub async fn refuse_imported_triggers(connection: &mut PgConnection) -> anyhow::Result<()> {
    let found = imported_triggers(connection).await?;
    anyhow::ensure!(
        found.is_empty(),
        "generated data would run triggers of an imported project as a superuser: {} (use a database without an import)",
        found.join(", ")
    );
    Ok(())
}

/// The triggers on Serasi's tables whose function neither Serasi nor a superuser owns, and which runs with its caller's privileges.
///
/// # Errors
/// When the database can't be queried.
pub async fn imported_triggers(connection: &mut PgConnection) -> anyhow::Result<Vec<String>> {
    let found = sqlx::query_scalar(
        "select format('%I on %s', tgname, tgrelid::regclass)
         from pg_catalog.pg_trigger
         join pg_catalog.pg_class on pg_class.oid = tgrelid
         join pg_catalog.pg_proc on pg_proc.oid = tgfoid
         join pg_catalog.pg_roles on pg_roles.oid = proowner
         where relnamespace in (select oid from pg_catalog.pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'public'))
           and not tgisinternal and not prosecdef and not rolsuper and rolname <> 'serasi_owner'
           and pg_catalog.pg_get_userbyid(relowner) = 'serasi_owner'
         order by 1",
    );
    Ok(found.fetch_all(connection).await?)
}
