//! "Perhaps you meant …" hints.

use std::collections::{BTreeSet, HashMap};

use crate::schema_cache::SchemaCache;
use crate::schema_cache::names::closest;
use crate::schema_cache::routines::Routine;

/// Table and function names are suggested only when they are this close to the requested name.
const NAME_SCORE: f64 = 0.75;

/// Suggests another table.
pub fn table(cache: &SchemaCache, schema: &str, name: &str) -> Option<String> {
    let found = close_name(cache.tables.get(schema)?, name)?;
    Some(format!("Perhaps you meant the table '{schema}.{found}'"))
}

/// Suggests another parent, or another child of a known parent.
pub fn relation(cache: &SchemaCache, schema: &str, parent: &str, child: &str) -> Option<String> {
    let tables = cache.relations.get(schema)?;
    if let Some(relations) = tables.get(parent) {
        let children = relations.iter().map(|relation| relation.foreign.name.as_str());
        let (score, found) = closest(children, child)?;
        // An exact match means that the hint was wrong, not the name.
        return (score < 1.0).then(|| format!("Perhaps you meant '{found}' instead of '{child}'."));
    }
    let (_, found) = closest(tables.keys().map(String::as_str), parent)?;
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
        close_name(cache.routines.get(schema)?, name)?.to_owned()
    } else {
        let known: Vec<String> = overloads.iter().map(signature).collect();
        let requested = format!("({})", arguments.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        let (_, found) = closest(known.iter().map(String::as_str), &requested)?;
        format!("{name}{found}")
    };
    Some(format!("Perhaps you meant to call the function {schema}.{meant}"))
}

fn close_name<'n, T>(named: &'n HashMap<String, T>, wanted: &str) -> Option<&'n str> {
    let found = closest(named.keys().map(String::as_str), wanted);
    found.filter(|(score, _)| *score >= NAME_SCORE).map(|(_, name)| name)
}

fn signature(routine: &Routine) -> String {
    let names: BTreeSet<&str> = routine.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    format!("({})", names.into_iter().collect::<Vec<_>>().join(", "))
}
