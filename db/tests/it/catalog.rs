//! Compares the files with a migrated database.

use std::collections::BTreeSet;

use crate::support::EmptyDatabase;

/// Upgrades remove what no file creates. An object that is not recognized in the files would also be removed.
#[tokio::test]
async fn the_files_create_exactly_the_objects_of_a_migrated_database() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let found: Vec<String> = sqlx::query_scalar(
        "with ours as (
           select pg_class.*, nspname || '.' || relname as name
           from pg_class join pg_namespace on pg_namespace.oid = relnamespace
           where nspowner = 'serasi_owner'::regrole
         )
         select distinct 'function ' || nspname || '.' || proname
         from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
         where nspowner = 'serasi_owner'::regrole
           and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
         union all
         select 'view ' || name from ours where relkind = 'v'
         union all
         select 'trigger ' || tgname || ' on ' || name from pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
         union all
         select 'policy ' || polname || ' on ' || name from pg_policy join ours on ours.oid = polrelid
         where polname not in ('the owner of the schema does all', 'the service of the schema does all')",
    )
    .fetch_all(&mut connection)
    .await
    .expect("read the catalog");

    let files: BTreeSet<String> = db::Release::current().objects();

    assert_eq!(files, found.into_iter().collect::<BTreeSet<_>>());
    drop(database);
}
