//! "Perhaps you meant …" hints.

use std::collections::BTreeSet;

use crate::schema_cache::SchemaCache;
use crate::schema_cache::names::{MIN_SCORE, Names};
use crate::schema_cache::routines::Routine;

/// Table and function names are suggested only when they are this close to the requested name.
const NAME_SCORE: f64 = 0.75;

/// Suggests another table.
pub fn table(cache: &SchemaCache, schema: &str, name: &str) -> Option<String> {
    let found = cache.table_names().get(schema)?.closest(name, NAME_SCORE)?;
    Some(format!("Perhaps you meant the table '{schema}.{found}'"))
}

/// Suggests another parent, or another child of a known parent.
pub fn relation(cache: &SchemaCache, schema: &str, parent: &str, child: &str) -> Option<String> {
    let tables = cache.relations.get(schema)?;
    if let Some(relations) = tables.get(parent) {
        let children = Names::new(relations.iter().map(|relation| relation.foreign.name.as_str()));
        let (score, found) = children.best(child)?;
        // An exact match means that the hint was wrong, not the name.
        return (score < 1.0).then(|| format!("Perhaps you meant '{found}' instead of '{child}'."));
    }
    let found = cache.related_names().get(schema)?.closest(parent, MIN_SCORE)?;
    Some(format!("Perhaps you meant '{found}' instead of '{parent}'."))
}

/// Suggests another function, or another overload of the requested one.
pub fn routine(
    cache: &SchemaCache,
    schema: &str,
    name: &str,
    arguments: &BTreeSet<String>,
) -> Option<String> {
    let overloads = cache.routines_named(schema, name);
    let meant = if overloads.is_empty() {
        cache.routine_names().get(schema)?.closest(name, NAME_SCORE)?.to_owned()
    } else {
        let known: Vec<String> = overloads.iter().map(signature).collect();
        let requested = format!("({})", arguments.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        let known = Names::new(known.iter().map(String::as_str));
        format!("{name}{}", known.closest(&requested, MIN_SCORE)?)
    };
    Some(format!("Perhaps you meant to call the function {schema}.{meant}"))
}

fn signature(routine: &Routine) -> String {
    let names: BTreeSet<&str> = routine.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    format!("({})", names.into_iter().collect::<Vec<_>>().join(", "))
}
