//! Reads tables, columns, relationships and functions from the catalog, and a few values of each column.

use std::collections::BTreeMap;

use tokio_postgres::Client;

use super::{Column, Function, Ground, Table};

const COLUMNS: &str = "
    select n.nspname, c.relname, a.attname, t.typname
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_class as c on c.oid = a.attrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    where n.nspname in ('public', 'fuzz') and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
    order by n.nspname, c.relname, a.attnum";

/// The product's tables are in `app`, its views with the same names in `public`.
const RELATIONSHIPS: &str = "
    select case n.nspname when 'app' then 'public' else n.nspname end, c.relname, r.relname, k.conname
    from pg_catalog.pg_constraint as k
    join pg_catalog.pg_class as c on c.oid = k.conrelid
    join pg_catalog.pg_class as r on r.oid = k.confrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname in ('app', 'fuzz')
    order by 1, 2, 3, 4";

const FUNCTIONS: &str = "
    select p.proname, coalesce(p.proargnames[1:p.pronargs], '{}'),
      array(select t.typname::text from unnest(p.proargtypes) with ordinality as x (type, place)
            join pg_catalog.pg_type as t on t.oid = x.type order by place)
    from pg_catalog.pg_proc as p
    where p.pronamespace = 'fuzz'::regnamespace
    order by 1, 3";

const VALUES_PER_COLUMN: usize = 12;

/// # Errors
/// When the database can't be queried.
pub async fn read(ground: &mut Ground, database: &Client) -> anyhow::Result<()> {
    let mut tables: BTreeMap<(String, String), Table> = BTreeMap::new();
    for row in database.query(COLUMNS, &[]).await? {
        let (schema, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let table = tables.entry((schema.clone(), name.clone())).or_insert(Table {
            schema,
            name,
            columns: Vec::new(),
            embeds: Vec::new(),
        });
        table.columns.push(Column { name: row.try_get(2)?, kind: row.try_get(3)?, pool: Vec::new() });
    }
    for row in database.query(RELATIONSHIPS, &[]).await? {
        let (schema, from): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let (to, constraint): (String, String) = (row.try_get(2)?, row.try_get(3)?);
        for (at, other) in [(&from, &to), (&to, &from)] {
            if let Some(table) = tables.get_mut(&(schema.clone(), at.clone())) {
                table.embeds.push(other.clone());
                table.embeds.push(format!("{other}!{constraint}"));
            }
        }
    }
    for row in database.query(FUNCTIONS, &[]).await? {
        let (names, kinds): (Vec<String>, Vec<String>) = (row.try_get(1)?, row.try_get(2)?);
        let names = names.into_iter().chain(std::iter::repeat(String::new()));
        ground.functions.push(Function { name: row.try_get(0)?, arguments: names.zip(kinds).collect() });
    }
    for table in tables.values_mut() {
        fill_pools(table, &ground.expendable_ids, database).await?;
    }
    ground.tables = tables.into_values().collect();
    Ok(())
}

async fn fill_pools(table: &mut Table, expendable: &[String], database: &Client) -> anyhow::Result<()> {
    let columns: Vec<_> = table
        .columns
        .iter()
        .map(|column| format!("left(\"{}\"::text, 80)", column.name.replace('"', "\"\"")))
        .collect();
    let statement = format!(
        "select {} from \"{}\".\"{}\" order by 1 limit {VALUES_PER_COLUMN}",
        columns.join(", "),
        table.schema,
        table.name
    );
    for row in database.query(&statement, &[]).await? {
        for (at, column) in table.columns.iter_mut().enumerate() {
            column.pool.extend(row.try_get::<_, Option<String>>(at)?);
        }
    }
    // Writes by privileged callers affect no other account.
    let owner = if table.name == "profiles" { "id" } else { "user_id" };
    for column in table.columns.iter_mut().filter(|column| column.name == owner) {
        column.pool = expendable.iter().take(VALUES_PER_COLUMN * 4).cloned().collect();
    }
    Ok(())
}
