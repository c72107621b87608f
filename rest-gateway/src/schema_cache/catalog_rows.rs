//! Rows of `foreign_keys.sql` and `computed_relations.sql`.

use serde::Deserialize;

use super::relations::{Kind, Relation};
use super::tables::QualifiedName;

#[derive(Deserialize)]
pub(super) struct ForeignKey {
    schema: String,
    table: String,
    foreign_schema: String,
    foreign_table: String,
    constraint: String,
    columns: Vec<(String, String)>,
    one_to_one: bool,
}

impl ForeignKey {
    pub(super) fn into_relation(self) -> Relation {
        let (table, foreign) = (
            QualifiedName::new(self.schema, self.table),
            QualifiedName::new(self.foreign_schema, self.foreign_table),
        );
        let (constraint, columns) = (self.constraint, self.columns);
        let kind = if self.one_to_one {
            Kind::OneToOne { constraint, columns, is_parent: false }
        } else {
            Kind::ManyToOne { constraint, columns }
        };
        relation(table, foreign, kind)
    }
}

#[derive(Deserialize)]
pub(super) struct ComputedRow {
    schema: String,
    function: String,
    table_schema: String,
    table: String,
    foreign_schema: String,
    foreign_table: String,
    to_one: bool,
}

impl ComputedRow {
    pub(super) fn into_relation(self) -> Relation {
        let (table, foreign) = (
            QualifiedName::new(self.table_schema, self.table),
            QualifiedName::new(self.foreign_schema, self.foreign_table),
        );
        let function = QualifiedName::new(self.schema, self.function);
        let kind = Kind::Computed { function, to_one: self.to_one };
        relation(table, foreign, kind)
    }
}

fn relation(table: QualifiedName, foreign: QualifiedName, kind: Kind) -> Relation {
    Relation { is_self: table == foreign, table, foreign, kind, table_is_view: false, foreign_is_view: false }
}
