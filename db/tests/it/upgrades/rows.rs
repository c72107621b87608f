//! Whether an upgrade keeps every value.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, PgConnection};

/// For each column, a digest of its values. A table's schema may change. Without the columns that the load writes, hashes, which get a key, and the rules of
/// retention, which `catalog.rs` compares.
pub(super) type Digests = BTreeMap<String, Option<String>>;

pub(super) async fn digests(connection: &mut PgConnection) -> Digests {
    let statements: Vec<String> = sqlx::query_scalar(
        "select format('select %L, md5(string_agg(%I::text, chr(10) order by %I::text collate \"C\")) from %s',
           relname || '.' || attname, attname, attname, attrelid::regclass)
         from pg_attribute join pg_class on pg_class.oid = attrelid
         where attrelid in (select oid from pg_class where relkind = 'r' and relname <> 'retention' and relnamespace in
             (select oid from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage')))
           and attnum > 0 and not attisdropped and attname not in ('bio', 'last_sign_in_at', 'sender_key', 'address_hash')",
    )
    .fetch_all(&mut *connection)
    .await
    .expect("read the columns");
    let digests: Vec<(String, Option<String>)> =
        sqlx::query_as(AssertSqlSafe(statements.join(" union all ")))
            .fetch_all(connection)
            .await
            .expect("read the rows");
    digests.into_iter().collect()
}

/// The columns whose values changed. A column that a migration dropped is not one.
pub(super) fn lost(before: &Digests, after: &Digests) -> Vec<String> {
    let changed =
        |(column, digest): &(&String, &Option<String>)| after.get(*column).is_some_and(|now| now != *digest);
    before.iter().filter(changed).map(|(column, _)| column.clone()).collect()
}
