//! The prepared statements of a connection.

use std::collections::HashMap;
use std::sync::Arc;

use quick_cache::DefaultHashBuilder;

/// The names of statements by their text. The texts are long, so the standard hasher would take most of the
/// time of a lookup.
type Names = HashMap<Box<str>, Arc<str>, DefaultHashBuilder>;

/// The maximum cost of all prepared statements of a connection. If they cost more, all are closed.
const MAX_COST: usize = 256;

/// Estimates the memory that a prepared statement takes on the server, in units of 0.25 MB: that is the most that one resource
/// took in measurements, and 2 KiB of text.
pub fn statement_cost(text: &str) -> usize {
    1 + text.matches("LATERAL").count() + text.len() / 2048
}

/// The prepared statements of a connection, by role: PostgreSQL would plan a statement again whenever its role
/// changes.
#[derive(Default)]
pub struct Statements {
    by_role: HashMap<Box<str>, Names, DefaultHashBuilder>,
    cost: usize,
    /// Counts the names. They are not reused, because the server may still have the old statement.
    names: u64,
    is_expired: bool,
    schema_generation: u64,
}

impl Statements {
    /// The name of a prepared statement.
    pub fn name(&self, role: &str, text: &str) -> Option<Arc<str>> {
        self.by_role.get(role)?.get(text).cloned()
    }

    pub fn new_name(&mut self) -> Arc<str> {
        self.names += 1;
        format!("s{}", self.names).into()
    }

    pub fn add(&mut self, role: &str, text: &str, name: Arc<str>) {
        if !self.by_role.contains_key(role) {
            self.by_role.insert(role.into(), Names::default());
        }
        if let Some(of_role) = self.by_role.get_mut(role)
            && of_role.insert(text.into(), name).is_none()
        {
            self.cost += statement_cost(text);
        }
    }

    /// Marks the statements as outdated, because the schema has changed.
    pub fn expire(&mut self) {
        self.is_expired |= self.cost > 0;
    }

    /// Expires statements that were prepared for an earlier generation of the schema.
    pub fn expire_before(&mut self, schema_generation: u64) {
        if self.schema_generation < schema_generation {
            self.schema_generation = schema_generation;
            self.expire();
        }
    }

    /// Whether they have to be closed.
    pub fn must_end(&self) -> bool {
        self.is_expired || self.cost > MAX_COST
    }

    /// Forgets all statements. Returns their names.
    pub(super) fn take_names(&mut self) -> Vec<Arc<str>> {
        (self.cost, self.is_expired) = (0, false);
        self.by_role.drain().flat_map(|(_, of_role)| of_role.into_values()).collect()
    }
}
