//! Creates the operator's policies and triggers on Serasi's tables.

use anyhow::Context;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Run;
use crate::import::classify::{Action, IMPORTED};
use crate::import::schemas::{OUR_OWNER, Origin};
use crate::import::session::{
    CONFINE_TRIGGERS, GRANT_SERASI_OWNER, REVOKE_SERASI_OWNER, SETTINGS, refresh_privileges,
};
use crate::import::tokens::{Name, quoted};

/// Imported policies have an effect only if their roles have privileges on the tables of the storage service.
const GRANT_TO_POLICIES: &str = "
set local role serasi_owner;
select app.confine_imported_policies('storage.objects'), app.confine_imported_policies('storage.buckets');
select app.grant_to_imported_policies('storage.objects'), app.grant_to_imported_policies('storage.buckets');
set local role import_owner";

impl Run<'_> {
    /// Creates policies and triggers on Serasi's tables. No code of the dump runs as the owner of these tables, now or later.
    ///
    /// # Errors
    /// When a statement fails. The message names its line.
    pub async fn on_our_tables(&mut self, admin: &mut PgConnection) -> anyhow::Result<()> {
        if self.later.is_empty() {
            return Ok(());
        }
        // Policies and triggers on Serasi's tables may call functions in these schemas. The dump of a backup contains these grants.
        let (contents, origin) = (self.contents, self.origin);
        let is_new = |name: &&Name| name.name.is_empty() && origin == Origin::Supabase;
        for schema in contents.created.iter().filter(is_new) {
            self.run(&format!("grant usage on schema {} to serasi_owner", quoted(&schema.schema))).await?;
        }
        sqlx::raw_sql(GRANT_SERASI_OWNER).execute(&mut *admin).await?;
        refresh_privileges(admin, self.connection).await?;
        sqlx::raw_sql(SETTINGS).execute(&mut *self.connection).await?;
        for (path, statement, action) in std::mem::take(&mut self.later) {
            let done = self.on_our_table(&statement.sql, &action).await;
            done.with_context(|| format!("line {} of {}", statement.line, path.display()))?;
        }
        let confine = format!("{CONFINE_TRIGGERS}; {GRANT_TO_POLICIES}");
        sqlx::raw_sql(AssertSqlSafe(confine)).execute(&mut *self.connection).await?;
        sqlx::raw_sql(REVOKE_SERASI_OWNER).execute(&mut *admin).await?;
        refresh_privileges(admin, self.connection).await
    }

    /// Creates a policy or trigger on one of Serasi's tables as the table's owner, which is not a superuser.
    async fn on_our_table(&mut self, sql: &str, action: &Action) -> anyhow::Result<()> {
        let Action::OnOurTable { kind, name, table, function } = action else { return Ok(()) };
        let lent = if let Some(function) = function { self.lend(function).await? } else { Vec::new() };
        self.run("set local role serasi_owner").await?;
        self.run(sql).await?;
        if *kind == "policy" {
            let mark = format!("comment on policy {} on {table} is {IMPORTED}", quoted(name));
            self.run(&mark).await?;
        }
        self.run("set local role import_owner").await?;
        for privilege in lent {
            self.run(&format!("revoke {privilege} from {OUR_OWNER}")).await?;
        }
        Ok(())
    }

    /// Grants the owner of Serasi's tables what it needs to create a trigger with this function. Returns the privileges to revoke
    /// afterwards: those that the backup did not contain.
    async fn lend(&mut self, function: &Name) -> anyhow::Result<Vec<String>> {
        let (schema, name) = (quoted(&function.schema), quoted(&function.name));
        let function = format!("{schema}.{name}()");
        let (has_schema, has_function): (bool, bool) = sqlx::query_as(
            "select pg_catalog.has_schema_privilege($1, $2::regnamespace, 'usage'),
               pg_catalog.has_function_privilege($1, $3::regprocedure, 'execute')",
        )
        .bind(OUR_OWNER)
        .bind(&schema)
        .bind(&function)
        .persistent(false)
        .fetch_one(&mut *self.connection)
        .await?;
        let mut lent = Vec::new();
        for (has, privilege) in [
            (has_schema, format!("usage on schema {schema}")),
            (has_function, format!("execute on function {function}")),
        ] {
            if !has {
                self.run(&format!("grant {privilege} to {OUR_OWNER}")).await?;
                lent.push(privilege);
            }
        }
        Ok(if self.origin == Origin::Backup { lent } else { Vec::new() })
    }
}
