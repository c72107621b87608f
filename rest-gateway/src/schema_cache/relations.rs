//! Relations between tables and views: foreign keys in both directions, junctions and computed relations.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::Deserialize;

use super::tables::{QualifiedName, Table};
use super::view_keys::ViewKey;

/// Pairs of local and foreign columns.
pub type ColumnPairs = Vec<(String, String)>;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Relation {
    pub table: QualifiedName,
    pub foreign: QualifiedName,
    pub is_self: bool,
    pub kind: Kind,
    #[serde(default)]
    pub table_is_view: bool,
    #[serde(default)]
    pub foreign_is_view: bool,
}

/// The variants are in the order in which an ambiguity error lists the relations.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Kind {
    /// The two tables share a foreign key.
    Direct {
        cardinality: Cardinality,
        constraint: String,
        columns: ColumnPairs,
        /// The foreign key refers to the table.
        is_parent: bool,
    },
    ManyToMany(Junction),
    Computed {
        function: QualifiedName,
        to_one: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Cardinality {
    OneToMany,
    ManyToOne,
    OneToOne,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Junction {
    pub table: QualifiedName,
    pub constraint: String,
    pub foreign_constraint: String,
    /// Columns of the table and of the junction.
    pub columns: ColumnPairs,
    /// Columns of the foreign table and of the junction.
    pub foreign_columns: ColumnPairs,
}

impl Relation {
    pub fn is_to_one(&self) -> bool {
        match &self.kind {
            Kind::Direct { cardinality, .. } => *cardinality != Cardinality::OneToMany,
            Kind::Computed { to_one, .. } => *to_one,
            Kind::ManyToMany(_) => false,
        }
    }

    pub fn is_one_to_many(&self) -> bool {
        matches!(self.kind, Kind::Direct { cardinality: Cardinality::OneToMany, .. })
    }

    /// The constraint and columns, if the two tables share a foreign key directly.
    pub fn key(&self) -> Option<(&str, &ColumnPairs)> {
        match &self.kind {
            Kind::Direct { constraint, columns, .. } => Some((constraint, columns)),
            Kind::ManyToMany(_) | Kind::Computed { .. } => None,
        }
    }
}

/// Relations by schema and table of origin. The foreign table is in the same schema.
pub type RelationIndex = HashMap<String, HashMap<String, Vec<Arc<Relation>>>>;

/// Indexes all relations between exposed tables and views.
pub fn index(
    keys: Vec<Relation>,
    view_keys: &[ViewKey],
    computed: Vec<Relation>,
    primary_keys: &HashMap<QualifiedName, BTreeSet<String>>,
    schemas: &[String],
) -> RelationIndex {
    let mut all = keys;
    add_views(&mut all, view_keys);
    add_junctions(&mut all, primary_keys);
    add_inverses(&mut all);
    // A computed relation replaces the relations to the table of the same name.
    let overridden = computed.iter().filter_map(|relation| match &relation.kind {
        Kind::Computed { function, .. } => Some((relation.table.clone(), function.clone())),
        _ => None,
    });
    let overridden: BTreeSet<(QualifiedName, QualifiedName)> = overridden.collect();
    all.retain(|relation| !overridden.contains(&(relation.table.clone(), relation.foreign.clone())));
    all.extend(computed);

    let mut index = RelationIndex::new();
    for relation in all.into_iter().filter(|relation| is_exposed(relation, schemas)) {
        let tables = index.entry(relation.table.schema.clone()).or_default();
        let relations = tables.entry(relation.table.name.clone()).or_default();
        // Relations through a hidden junction can't be embedded, but the table counts as one with relations.
        if !has_hidden_junction(&relation, schemas) {
            relations.push(Arc::new(relation));
        }
    }
    for relations in index.values_mut().flat_map(HashMap::values_mut) {
        relations.sort();
        relations.dedup();
    }
    index
}

fn is_exposed(relation: &Relation, schemas: &[String]) -> bool {
    relation.table.schema == relation.foreign.schema && schemas.contains(&relation.table.schema)
}

fn has_hidden_junction(relation: &Relation, schemas: &[String]) -> bool {
    matches!(&relation.kind, Kind::ManyToMany(junction) if !schemas.contains(&junction.table.schema))
}

/// Adds the same relations from, to and between views that select the key's columns.
fn add_views(all: &mut Vec<Relation>, view_keys: &[ViewKey]) {
    let mut by_key: HashMap<(&QualifiedName, &str, char), Vec<&ViewKey>> = HashMap::new();
    for key in view_keys {
        by_key.entry((&key.table, key.constraint.as_str(), key.kind)).or_default().push(key);
    }
    // The table and the views that select the columns, with the columns' names.
    let sides = |table: &QualifiedName, constraint: &str, kind: char, columns: Vec<String>| {
        let keys = by_key.get(&(table, constraint, kind)).into_iter().flatten();
        let views = keys.flat_map(|key| key.name_choices().map(|names| (key.view.clone(), names, true)));
        std::iter::once((table.clone(), columns, false)).chain(views).collect::<Vec<_>>()
    };
    let mut added = Vec::new();
    for relation in all.iter() {
        let Some((constraint, columns)) = relation.key() else { continue };
        let (own, other) = columns.iter().cloned().unzip();
        let foreign_sides = sides(&relation.foreign, constraint, 'r', other);
        for (table, names, table_is_view) in sides(&relation.table, constraint, 'f', own) {
            for (foreign, foreign_names, foreign_is_view) in &foreign_sides {
                if !table_is_view && !foreign_is_view {
                    continue;
                }
                let pairs = names.iter().cloned().zip(foreign_names.iter().cloned());
                let mut kind = relation.kind.clone();
                if let Kind::Direct { columns, .. } = &mut kind {
                    *columns = pairs.collect();
                }
                added.push(Relation {
                    is_self: table_is_view && *foreign_is_view && table == *foreign,
                    table: table.clone(),
                    foreign: foreign.clone(),
                    kind,
                    table_is_view,
                    foreign_is_view: *foreign_is_view,
                });
            }
        }
    }
    all.extend(added);
}

/// A table is a junction if two foreign keys consist of columns of its primary key.
fn add_junctions(all: &mut Vec<Relation>, primary_keys: &HashMap<QualifiedName, BTreeSet<String>>) {
    let mut by_table: HashMap<&QualifiedName, Vec<(&Relation, &str, &ColumnPairs)>> = HashMap::new();
    for relation in all.iter() {
        if let Kind::Direct { cardinality: Cardinality::ManyToOne, constraint, columns, .. } = &relation.kind
        {
            by_table.entry(&relation.table).or_default().push((relation, constraint, columns));
        }
    }
    let mut added = Vec::new();
    for (table, keys) in by_table {
        let Some(primary_key) = primary_keys.get(table) else { continue };
        for (one, constraint, columns) in &keys {
            for (other, foreign_constraint, foreign_columns) in &keys {
                let mut used = columns.iter().chain(foreign_columns.iter()).map(|(column, _)| column);
                if constraint == foreign_constraint || !used.all(|column| primary_key.contains(column)) {
                    continue;
                }
                added.push(Relation {
                    table: one.foreign.clone(),
                    foreign: other.foreign.clone(),
                    is_self: one.foreign == other.foreign,
                    kind: Kind::ManyToMany(Junction {
                        table: table.clone(),
                        constraint: (*constraint).to_owned(),
                        foreign_constraint: (*foreign_constraint).to_owned(),
                        columns: swapped(columns),
                        foreign_columns: swapped(foreign_columns),
                    }),
                    table_is_view: one.foreign_is_view,
                    foreign_is_view: other.foreign_is_view,
                });
            }
        }
    }
    all.extend(added);
}

fn add_inverses(all: &mut Vec<Relation>) {
    let inverses: Vec<Relation> = all
        .iter()
        .filter_map(|relation| {
            let Kind::Direct { cardinality, constraint, columns, is_parent } = &relation.kind else {
                return None;
            };
            let cardinality = match cardinality {
                Cardinality::ManyToOne => Cardinality::OneToMany,
                other => *other,
            };
            let (constraint, columns) = (constraint.clone(), swapped(columns));
            let kind = Kind::Direct { cardinality, constraint, columns, is_parent: !is_parent };
            Some(Relation {
                table: relation.foreign.clone(),
                foreign: relation.table.clone(),
                is_self: relation.is_self,
                kind,
                table_is_view: relation.foreign_is_view,
                foreign_is_view: relation.table_is_view,
            })
        })
        .collect();
    all.extend(inverses);
}

fn swapped(columns: &ColumnPairs) -> ColumnPairs {
    columns.iter().map(|(one, two)| (two.clone(), one.clone())).collect()
}

/// The primary key columns of tables, and of views that select all of them.
pub fn primary_keys(tables: &[Table]) -> HashMap<QualifiedName, BTreeSet<String>> {
    tables
        .iter()
        .filter(|table| !table.primary_key.is_empty())
        .map(|table| {
            (QualifiedName::new(&table.schema, &table.name), table.primary_key.iter().cloned().collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(table: &str, column: &str, foreign: &str) -> Relation {
        let name =
            |text: &str| text.split_once('.').map(|(schema, name)| QualifiedName::new(schema, name)).unwrap();
        Relation {
            table: name(table),
            foreign: name(foreign),
            is_self: false,
            kind: Kind::Direct {
                cardinality: Cardinality::ManyToOne,
                is_parent: false,
                constraint: format!("{column}_fkey"),
                columns: vec![(column.into(), "id".into())],
            },
            table_is_view: false,
            foreign_is_view: false,
        }
    }

    #[test]
    fn relations_through_a_hidden_junction_are_not_embeddable() {
        let keys = vec![
            key("hidden.booking", "guest_id", "api.guest"),
            key("hidden.booking", "room_id", "api.room"),
        ];
        let primary = ["guest_id", "room_id"].map(str::to_owned).into();
        let primary_keys = HashMap::from([(QualifiedName::new("hidden", "booking"), primary)]);
        let exposed = |schemas: &[&str]| {
            let schemas: Vec<String> = schemas.iter().map(|&schema| schema.to_owned()).collect();
            index(keys.clone(), &[], Vec::new(), &primary_keys, &schemas)["api"]["guest"].len()
        };
        assert_eq!(exposed(&["api"]), 0);
        assert_eq!(exposed(&["api", "hidden"]), 1);
    }
}
