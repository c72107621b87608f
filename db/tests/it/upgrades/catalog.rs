//! What upgraded and new databases must have in common: the structure, and what every file created.

use std::collections::BTreeSet;

use sqlx::PgConnection;

const DEFINITIONS: &str = "
select format('function %s', pg_get_functiondef(pg_proc.oid)) from pg_proc
where pronamespace::regnamespace::text in ('app', 'serasi', 'auth', 'storage', 'public') and prokind = 'f'
union all
select format('view %s: %s', oid::regclass, pg_get_viewdef(oid)) from pg_class
where relnamespace::regnamespace::text in ('app', 'serasi', 'auth', 'storage', 'public') and relkind = 'v'
union all
select format('migration %s %s', version, checksum) from migration.applied
union all
select format('file %s %s', file, hash) from migration.reapplied
union all
select format('row %s', one) from serasi.mail_templates as one
union all
select format('row %s', one) from app.audit_actions as one
union all
select format('row %s', one) from serasi.retention as one";

#[derive(Debug, PartialEq)]
pub(super) struct Catalog {
    structure: String,
    definitions: BTreeSet<String>,
}

pub(super) async fn assert_equal(upgraded: &mut PgConnection, new: &mut PgConnection) {
    let new = read(new).await;
    assert!(new.structure.lines().count() > 500, "the structure is incomplete");
    assert_eq!(differences(&new, &read(upgraded).await), "");
}

/// The lines that only one of them has.
pub(super) fn differences(before: &Catalog, after: &Catalog) -> String {
    let lost = before.definitions.difference(&after.definitions).map(|one| format!("- {one}\n"));
    let added = after.definitions.difference(&before.definitions).map(|one| format!("+ {one}\n"));
    lost.chain(added).fold(db::difference(&before.structure, &after.structure), |all, one| all + &one)
}

pub(super) async fn read(connection: &mut PgConnection) -> Catalog {
    let structure = db::snapshot(&mut *connection).await.expect("read the structure");
    let definitions: Vec<String> =
        sqlx::query_scalar(DEFINITIONS).fetch_all(connection).await.expect("read the definitions");
    Catalog { structure, definitions: definitions.into_iter().collect() }
}
