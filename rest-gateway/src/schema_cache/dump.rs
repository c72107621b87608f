//! The schema cache as JSON, with PostgREST's structure.

use serde_json::{Map, Value, json};

use super::SchemaCache;
use super::relations::{Cardinality, Junction, Kind, Relation};
use super::routines::Routine;
use super::tables::{Column, QualifiedName, Table, dump_name};

impl SchemaCache {
    pub fn dump(&self) -> Value {
        let mut tables: Vec<&Table> = self.tables.values().flat_map(|tables| tables.values()).collect();
        tables.sort_by(|one, two| (&one.schema, &one.name).cmp(&(&two.schema, &two.name)));
        let mut relations: Vec<_> = self
            .relations
            .iter()
            .flat_map(|(schema, tables)| {
                tables.iter().map(move |(table, relations)| (schema, table, relations))
            })
            .filter(|(.., relations)| !relations.is_empty())
            .collect();
        relations.sort_by_key(|(schema, table, _)| (*schema, *table));
        let mut routines: Vec<_> = self
            .routines
            .iter()
            .flat_map(|(schema, named)| named.iter().map(move |(name, overloads)| (schema, name, overloads)))
            .collect();
        routines.sort_by_key(|(schema, name, _)| (*schema, *name));
        let mut representations: Vec<_> = self.representations.iter().collect();
        representations.sort();
        json!({
            "dbMediaHandlers": self.handlers.dump(),
            "dbRelationships": relations
                .into_iter()
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
            "dbRoutines": routines
                .into_iter()
                .map(|(schema, name, overloads)| {
                    json!([dump_name(schema, name), overloads.iter().map(Routine::dump).collect::<Vec<_>>()])
                })
                .collect::<Vec<_>>(),
            "dbTables": tables
                .into_iter()
                .map(|found| json!([dump_name(&found.schema, &found.name), table(found)]))
                .collect::<Vec<_>>(),
        })
    }
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
