//! Reads the catalog in one transaction, so that all parts are consistent.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use platform::env::ConfigError;
use serde::de::DeserializeOwned;
use tokio::task::JoinError;
use tokio_postgres::{Client, Row, Transaction};

use super::SchemaCache;
use super::media_handlers::MediaHandlers;
use super::relations;
use super::routines::Routine;
use super::tables::{QualifiedName, Table};
use super::view_keys::{self, TableKey, View, ViewKey};
use crate::config::database::DatabaseConfig;

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error("unexpected data in the catalog: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error(transparent)]
    Settings(#[from] ConfigError),
    #[error("the database did not answer in time")]
    Timeout,
    #[error("loading the schema ended early: {0}")]
    Interrupted(#[from] JoinError),
}

/// Comments on the exposed schemas.
const DESCRIPTIONS: &str = "select nspname::text, pg_catalog.obj_description(oid, 'pg_namespace') \
    from pg_catalog.pg_namespace where nspname = any ($1) and pg_catalog.obj_description(oid, 'pg_namespace') is not null";

const VERSION: &str = "select current_setting('server_version_num')::integer";

/// How long the queries took, under PostgREST's names.
pub type Timings = Vec<(&'static str, Duration)>;

/// Whether both load the same part of the catalog.
pub fn is_same(one: &DatabaseConfig, other: &DatabaseConfig) -> bool {
    let part = |config: &DatabaseConfig| {
        let DatabaseConfig { schemas, extra_search_path, hoisted_settings, schema_cache_delay, .. } = config;
        (schemas.clone(), extra_search_path.clone(), hoisted_settings.clone(), *schema_cache_delay)
    };
    part(one) == part(other)
}

const TABLES: &str = include_str!("tables.sql");
const KEYS: &str = include_str!("keys.sql");
const VIEWS: &str = include_str!("views.sql");
const FOREIGN_KEYS: &str = include_str!("foreign_keys.sql");
const ROUTINES: &str = include_str!("routines.sql");
const COMPUTED_RELATIONS: &str = include_str!("computed_relations.sql");
const REPRESENTATIONS: &str = include_str!("representations.sql");
const MEDIA_HANDLERS: &str = include_str!("media_handlers.sql");
/// The queries, for the log.
pub const QUERIES: [&str; 9] = [
    TABLES,
    KEYS,
    VIEWS,
    FOREIGN_KEYS,
    ROUTINES,
    COMPUTED_RELATIONS,
    REPRESENTATIONS,
    MEDIA_HANDLERS,
    DESCRIPTIONS,
];

/// Fails if one of the schemas does not exist.
const CHECK_SCHEMAS: &str =
    "select pg_catalog.quote_ident(name)::pg_catalog.regnamespace from unnest($1::text[]) name";

/// # Errors
/// When a query fails.
pub async fn load(client: &mut Client, config: &DatabaseConfig) -> Result<(SchemaCache, Timings), LoadError> {
    let transaction = client.build_transaction().read_only(true).start().await?;
    if let Some(delay) = config.schema_cache_delay {
        transaction.query("select pg_catalog.pg_sleep($1)", &[&delay.as_secs_f64()]).await?;
    }
    // Without other schemas in the path, PostgreSQL qualifies every type name. pg_temp is last: a pooled session may have temporary tables.
    transaction
        .batch_execute("set local search_path = pg_catalog, pg_temp; set local statement_timeout = 0")
        .await?;
    let (mut began, mut timings) = (Instant::now(), Timings::new());
    let mut ended = |name| timings.push((name, std::mem::replace(&mut began, Instant::now()).elapsed()));
    let schemas = config.schemas.clone();
    let visible_schemas: Vec<&String> = schemas.iter().chain(&config.extra_search_path).collect();
    transaction.query(CHECK_SCHEMAS, &[&visible_schemas]).await?;
    let mut tables: Vec<Table> = json(transaction.query(TABLES, &[&schemas]).await?).await?;
    ended("tables");
    let table_keys: Vec<TableKey> = json(transaction.query(KEYS, &[]).await?).await?;
    let views: Vec<View> = json(transaction.query(VIEWS, &[&visible_schemas]).await?).await?;
    ended("keydeps");
    let keys = json(transaction.query(FOREIGN_KEYS, &[]).await?).await?;
    ended("rels");
    let routines = json(transaction.query(ROUTINES, &[&schemas, &config.hoisted_settings]).await?).await?;
    ended("funcs");
    let computed = json(transaction.query(COMPUTED_RELATIONS, &[]).await?).await?;
    ended("comprels");
    let representations = representations(&transaction).await?;
    ended("dreps");
    let handlers = json(transaction.query(MEDIA_HANDLERS, &[&schemas]).await?).await?;
    ended("mhandlers");
    let descriptions = descriptions(&transaction, &schemas).await?;
    let server_version = transaction.query_one(VERSION, &[]).await?.try_get(0)?;
    transaction.commit().await?;
    let build = move || {
        let view_keys = view_keys::resolve(&views, &table_keys, &schemas);
        add_view_primary_keys(&mut tables, &view_keys);
        let primary_keys = relations::primary_keys(&tables);
        let relations = relations::index(keys, &view_keys, computed, &primary_keys, &schemas);
        let handlers = MediaHandlers::new(handlers);
        let (tables, routines) = (by_schema(tables, &schemas), by_name(routines));
        Ok(SchemaCache {
            tables,
            relations,
            routines,
            representations,
            handlers,
            descriptions,
            server_version,
        })
    };
    Ok((off_workers(build).await?, timings))
}

type Named<T> = HashMap<String, HashMap<String, T>>;

fn by_schema(tables: Vec<Table>, schemas: &[String]) -> Named<Table> {
    let mut named = Named::new();
    for table in tables.into_iter().filter(|table| schemas.contains(&table.schema)) {
        named.entry(table.schema.clone()).or_default().insert(table.name.clone(), table);
    }
    named
}

/// Overloads are sorted, so that the choice among them does not depend on the catalog's order.
fn by_name(routines: Vec<Routine>) -> Named<Vec<Routine>> {
    let mut named: Named<Vec<Routine>> = Named::new();
    for routine in routines {
        let overloads = named.entry(routine.schema.clone()).or_default();
        overloads.entry(routine.name.clone()).or_default().push(routine);
    }
    for overloads in named.values_mut().flat_map(HashMap::values_mut) {
        overloads.sort_by_cached_key(|routine| {
            let parameters = routine.parameters.iter();
            let names = parameters.map(|parameter| (parameter.name.clone(), parameter.kind.clone()));
            (routine.parameters.len(), names.collect::<Vec<_>>())
        });
    }
    named
}

async fn descriptions(
    transaction: &Transaction<'_>,
    schemas: &[String],
) -> Result<HashMap<String, String>, tokio_postgres::Error> {
    let rows = transaction.query(DESCRIPTIONS, &[&schemas]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

async fn json<T: DeserializeOwned + Send + 'static>(rows: Vec<Row>) -> Result<Vec<T>, LoadError> {
    off_workers(move || rows.iter().map(|row| Ok(serde_json::from_str(row.try_get(0)?)?)).collect()).await
}

/// Runs on a blocking thread, because this takes tenths of a second with 10,000 tables.
async fn off_workers<T, F>(work: F) -> Result<T, LoadError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, LoadError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await?
}

fn add_view_primary_keys(tables: &mut [Table], view_keys: &[ViewKey]) {
    let mut by_view: HashMap<&QualifiedName, Vec<&ViewKey>> = HashMap::new();
    for key in view_keys.iter().filter(|key| key.kind == 'p') {
        by_view.entry(&key.view).or_default().push(key);
    }
    for table in tables.iter_mut().filter(|table| table.is_view) {
        let name = QualifiedName::new(&table.schema, &table.name);
        let keys = by_view.get(&name).into_iter().flatten();
        // If a view selects a column twice, use the first name.
        table.primary_key =
            keys.flat_map(|key| key.names.iter().filter_map(|names| names.first().cloned())).collect();
    }
}

async fn representations(
    transaction: &Transaction<'_>,
) -> Result<HashMap<(String, String), String>, tokio_postgres::Error> {
    let rows = transaction.query(REPRESENTATIONS, &[]).await?;
    rows.iter().map(|row| Ok(((row.try_get(0)?, row.try_get(1)?), row.try_get(2)?))).collect()
}
