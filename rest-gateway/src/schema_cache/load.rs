//! Reads the catalog in one transaction, so that all parts are consistent.

use std::collections::HashMap;
use std::time::Duration;

use platform::env::ConfigError;
use serde::de::DeserializeOwned;
use tokio::task::JoinError;
use tokio_postgres::{Client, Row, Transaction};

use super::SchemaCache;
use super::media_handlers::{HandlerRow, MediaHandlers};
use super::relations::{self, Relation};
use super::routines::Routine;
use super::stopwatch::{Stopwatch, Timings};
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

/// The part of the catalog that is loaded.
#[derive(PartialEq, Eq)]
pub struct LoadScope<'a> {
    schemas: &'a [String],
    extra_search_path: &'a [String],
    /// Function settings that apply to the whole transaction.
    hoisted_settings: &'a [String],
    /// A delay for tests.
    delay: Option<Duration>,
}

impl<'a> LoadScope<'a> {
    pub fn new(config: &'a DatabaseConfig) -> Self {
        Self {
            schemas: &config.schemas,
            extra_search_path: &config.extra_search_path,
            hoisted_settings: &config.hoisted_settings,
            delay: config.schema_cache_delay,
        }
    }
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
pub async fn load(client: &mut Client, scope: &LoadScope<'_>) -> Result<(SchemaCache, Timings), LoadError> {
    let transaction = client.build_transaction().read_only(true).start().await?;
    if let Some(delay) = scope.delay {
        transaction.query("select pg_catalog.pg_sleep($1)", &[&delay.as_secs_f64()]).await?;
    }
    // Without other schemas in the path, PostgreSQL qualifies every type name. pg_temp is last: a pooled session may have temporary tables.
    transaction
        .batch_execute("set local search_path = pg_catalog, pg_temp; set local statement_timeout = 0")
        .await?;
    let mut clock = Stopwatch::start();
    let catalog = Catalog::read(&transaction, scope, &mut clock).await?;
    transaction.commit().await?;
    let schemas = scope.schemas.to_vec();
    Ok((off_workers(move || catalog.into_cache(&schemas)).await?, clock.timings))
}

/// The results of the queries.
struct Catalog {
    tables: Vec<Table>,
    table_keys: Vec<TableKey>,
    views: Vec<View>,
    keys: Vec<Relation>,
    routines: Vec<Routine>,
    computed: Vec<Relation>,
    representations: HashMap<(String, String), String>,
    handlers: Vec<HandlerRow>,
    descriptions: Vec<Row>,
    server_version: i32,
}

impl Catalog {
    async fn read(
        transaction: &Transaction<'_>,
        scope: &LoadScope<'_>,
        clock: &mut Stopwatch,
    ) -> Result<Self, LoadError> {
        let schemas = scope.schemas;
        let visible_schemas: Vec<&String> = schemas.iter().chain(scope.extra_search_path).collect();
        transaction.query(CHECK_SCHEMAS, &[&visible_schemas]).await?;
        let tables = json(transaction.query(TABLES, &[&schemas]).await?).await?;
        clock.ended("tables");
        let table_keys = json(transaction.query(KEYS, &[]).await?).await?;
        let views = json(transaction.query(VIEWS, &[&visible_schemas]).await?).await?;
        clock.ended("keydeps");
        let keys = json(transaction.query(FOREIGN_KEYS, &[]).await?).await?;
        clock.ended("rels");
        let hoisted = &scope.hoisted_settings;
        let routines = json(transaction.query(ROUTINES, &[&schemas, hoisted]).await?).await?;
        clock.ended("funcs");
        let computed = json(transaction.query(COMPUTED_RELATIONS, &[]).await?).await?;
        clock.ended("comprels");
        let representations = representations(transaction).await?;
        clock.ended("dreps");
        let handlers = json(transaction.query(MEDIA_HANDLERS, &[&schemas]).await?).await?;
        clock.ended("mhandlers");
        let descriptions = transaction.query(DESCRIPTIONS, &[&schemas]).await?;
        let version = "select current_setting('server_version_num')::integer";
        let server_version = transaction.query_one(version, &[]).await?.try_get(0)?;
        Ok(Self {
            tables,
            table_keys,
            views,
            keys,
            routines,
            computed,
            representations,
            handlers,
            descriptions,
            server_version,
        })
    }

    fn into_cache(self, schemas: &[String]) -> Result<SchemaCache, LoadError> {
        let mut tables = self.tables;
        let view_keys = view_keys::resolve(&self.views, &self.table_keys, schemas);
        add_view_primary_keys(&mut tables, &view_keys);
        let relations = relations::index(
            self.keys,
            &view_keys,
            self.computed,
            &relations::primary_keys(&tables),
            schemas,
        );
        let descriptions = self.descriptions.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        let mut cache = SchemaCache {
            relations,
            representations: self.representations,
            handlers: MediaHandlers::new(self.handlers),
            descriptions: descriptions.collect::<Result<_, tokio_postgres::Error>>()?,
            server_version: self.server_version,
            ..SchemaCache::default()
        };
        add_tables(&mut cache, tables, schemas);
        add_routines(&mut cache, self.routines);
        Ok(cache)
    }
}

fn add_tables(cache: &mut SchemaCache, tables: Vec<Table>, schemas: &[String]) {
    for table in tables.into_iter().filter(|table| schemas.contains(&table.schema)) {
        cache.tables.entry(table.schema.clone()).or_default().insert(table.name.clone(), table);
    }
}

/// Overloads are sorted, so that the choice among them does not depend on the catalog's order.
fn add_routines(cache: &mut SchemaCache, routines: Vec<Routine>) {
    for routine in routines {
        let overloads = cache.routines.entry(routine.schema.clone()).or_default();
        overloads.entry(routine.name.clone()).or_default().push(routine);
    }
    for overloads in cache.routines.values_mut().flat_map(HashMap::values_mut) {
        overloads.sort_by(|one, two| {
            let names = |routine: &Routine| -> Vec<(String, String)> {
                routine.parameters.iter().map(|p| (p.name.clone(), p.kind.clone())).collect()
            };
            one.parameters.len().cmp(&two.parameters.len()).then_with(|| names(one).cmp(&names(two)))
        });
    }
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
