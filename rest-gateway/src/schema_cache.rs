//! Tables, views, functions and their relations. They are loaded at startup and on request, so that planning needs no
//! query.

mod dump;
pub mod load;
pub mod media_handlers;
pub mod names;
pub mod relations;
pub mod roles;
pub mod routines;
pub mod tables;
pub mod view_keys;

use std::collections::HashMap;
use std::sync::Arc;

use media_handlers::MediaHandlers;
use relations::{Relation, RelationIndex};
use routines::Routine;
use tables::{QualifiedName, Table};

#[derive(Debug, Default)]
pub struct SchemaCache {
    pub tables: HashMap<String, HashMap<String, Table>>,
    pub relations: RelationIndex,
    /// The overloads by schema and name, with the fewest parameters first.
    pub routines: HashMap<String, HashMap<String, Vec<Routine>>>,
    /// Cast functions between two types of which at least one is a domain.
    pub representations: HashMap<(String, String), String>,
    pub handlers: MediaHandlers,
    /// Comments on the schemas.
    pub descriptions: HashMap<String, String>,
    /// `server_version_num` of the database.
    pub server_version: i32,
}

impl SchemaCache {
    /// The number of objects of each kind, for the log.
    pub fn summary(&self) -> String {
        let relations: usize = self.tables.values().map(HashMap::len).sum();
        let relationships: usize = self.relations.values().flat_map(HashMap::values).map(Vec::len).sum();
        let routines: usize = self.routines.values().flat_map(HashMap::values).map(Vec::len).sum();
        let (representations, handlers) = (self.representations.len(), self.handlers.len());
        format!(
            "{relations} Relations, {relationships} Relationships, {routines} RPCs, {representations} Domain \
             Representations, {handlers} Media Type Handlers"
        )
    }

    pub fn table(&self, schema: &str, name: &str) -> Option<&Table> {
        self.tables.get(schema)?.get(name)
    }

    pub fn table_named(&self, name: &QualifiedName) -> Option<&Table> {
        self.table(&name.schema, &name.name)
    }

    pub fn relations_of(&self, schema: &str, table: &str) -> &[Arc<Relation>] {
        self.relations.get(schema).and_then(|tables| tables.get(table)).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn routines_named(&self, schema: &str, name: &str) -> &[Routine] {
        self.routines
            .get(schema)
            .and_then(|routines| routines.get(name))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }
}
