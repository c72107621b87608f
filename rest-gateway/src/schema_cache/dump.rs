//! The schema cache as JSON, with PostgREST's structure.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::SchemaCache;
use super::relations::{Cardinality, Junction, Kind, Relation};
use super::routines::Routine;
use super::tables::{Column, QualifiedName, Table, dump_name};

impl SchemaCache {
    pub fn dump(&self) -> Value {
        let mut representations: Vec<_> = self.representations.iter().collect();
        representations.sort();
        json!({
            "dbMediaHandlers": self.handlers.dump(),
            "dbRelationships": sorted(&self.relations)
                .filter(|(.., relations)| !relations.is_empty())
                .map(|(schema, table, relations)| {
                    let key = json!([dump_name(schema, table), schema]);
                    json!([key, relations.iter().map(|relation| self::relation(relation)).collect::<Vec<_>>()])
                })
                .collect::<Vec<_>>(),
            "dbRepresentations": representations
                .into_iter()
                .map(|((source, target), function)| {
                    let cast = json!({
                        "drSourceType": source, "drTargetType": target, "drFunction": function,
                    });
                    json!([[source, target], cast])
                })
                .collect::<Vec<_>>(),
            "dbRoutines": sorted(&self.routines)
                .map(|(schema, name, overloads)| {
                    json!([dump_name(schema, name), overloads.iter().map(Routine::dump).collect::<Vec<_>>()])
                })
                .collect::<Vec<_>>(),
            "dbTables": sorted(&self.tables)
                .map(|(schema, name, found)| json!([dump_name(schema, name), table(found)]))
                .collect::<Vec<_>>(),
        })
    }
}

/// The schemas, names and values, sorted by schema and name.
fn sorted<T>(index: &HashMap<String, HashMap<String, T>>) -> impl Iterator<Item = (&String, &String, &T)> {
    let mut all: Vec<_> = index
        .iter()
        .flat_map(|(schema, named)| named.iter().map(move |(name, value)| (schema, name, value)))
        .collect();
    all.sort_by_key(|(schema, name, _)| (*schema, *name));
    all.into_iter()
}

fn qualified(name: &QualifiedName) -> Value {
    dump_name(&name.schema, &name.name)
}

fn table(table: &Table) -> Value {
    let columns: Map<String, Value> =
        table.columns.iter().map(|found| (found.name.clone(), column(found))).collect();
    json!({
        "tableColumns": columns,
        "tableDeletable": table.deletable,
        "tableDescription": table.description,
        "tableInsertable": table.insertable,
        "tableIsView": table.is_view,
        "tableName": table.name,
        "tablePKCols": table.primary_key,
        "tableSchema": table.schema,
        "tableUpdatable": table.updatable,
    })
}

fn column(column: &Column) -> Value {
    json!({
        "colDefault": column.default,
        "colDescription": column.description,
        "colEnum": column.labels,
        "colMaxLen": column.max_length,
        "colName": column.name,
        "colNominalType": column.nominal_type,
        "colNullable": column.nullable,
        "colType": column.data_type,
    })
}

fn relation(relation: &Relation) -> Value {
    let common = json!({
        "relFTableIsView": relation.foreign_is_view,
        "relForeignTable": qualified(&relation.foreign),
        "relIsSelf": relation.is_self,
        "relTable": qualified(&relation.table),
        "relTableIsView": relation.table_is_view,
    });
    let mut fields = match common {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let cardinality = match &relation.kind {
        Kind::Direct { cardinality, constraint, columns, is_parent } => {
            let tag = match cardinality {
                Cardinality::OneToMany => "O2M",
                Cardinality::ManyToOne => "M2O",
                Cardinality::OneToOne => "O2O",
            };
            let mut direct = json!({ "relColumns": columns, "relCons": constraint, "tag": tag });
            if *cardinality == Cardinality::OneToOne {
                direct["relIsParent"] = json!(is_parent);
            }
            direct
        }
        Kind::ManyToMany(junction) => json!({ "contents": self::junction(junction), "tag": "M2M" }),
        Kind::Computed { function, to_one } => {
            fields.insert("relFunction".to_owned(), qualified(function));
            fields.insert("relToOne".to_owned(), json!(to_one));
            fields.insert("tag".to_owned(), json!("ComputedRelationship"));
            return Value::Object(fields);
        }
    };
    fields.insert("relCardinality".to_owned(), cardinality);
    fields.insert("tag".to_owned(), json!("Relationship"));
    Value::Object(fields)
}

fn junction(junction: &Junction) -> Value {
    json!({
        "junColsSource": junction.columns,
        "junColsTarget": junction.foreign_columns,
        "junConstraint1": junction.constraint,
        "junConstraint2": junction.foreign_constraint,
        "junTable": qualified(&junction.table),
    })
}
