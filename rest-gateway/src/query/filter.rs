//! Columns, conditions and ordering in SQL.

use super::fragment::{Sql, array_literal};
use crate::plan::types::{ColumnRef, FilterPlan, JoinCondition, OrderPlan};
use crate::request::field::{JsonOperand, JsonStep};
use crate::request::filters::{LogicOperator, Operation, Quantifier};
use crate::schema_cache::tables::QualifiedName;

pub fn column(sql: &mut Sql, table: &QualifiedName, column: &ColumnRef) {
    let Some(language) = &column.to_document else {
        plain_column(sql, table, column);
        return;
    };
    sql.push("to_tsvector(");
    if let Some(language) = language {
        sql.value(language).push(", ");
    }
    plain_column(sql, table, column);
    sql.push(")");
}

fn plain_column(sql: &mut Sql, table: &QualifiedName, column: &ColumnRef) {
    if column.full_row {
        sql.name(table);
    } else if !column.path.is_empty() && column.to_json {
        sql.push("to_jsonb(").column(table, &column.name).push(")");
    } else {
        sql.column(table, &column.name);
    }
    json_path(sql, &column.path);
}

fn json_path(sql: &mut Sql, path: &[JsonStep]) {
    for step in path {
        sql.push(if step.as_text { "->>" } else { "->" });
        match &step.operand {
            JsonOperand::Key(key) => sql.value(key),
            JsonOperand::Index(index) => sql.value(index).push("::int"),
        };
    }
}

/// A column in the result, converted by its representation function if it has one.
pub fn result_column(sql: &mut Sql, table: &QualifiedName, column_ref: &ColumnRef) {
    match &column_ref.transform {
        Some(function) => {
            sql.push(function).push("(");
            column(sql, table, column_ref);
            sql.push(")");
        }
        None => column(sql, table, column_ref),
    }
}

pub fn filter(sql: &mut Sql, table: &QualifiedName, filter_plan: &FilterPlan) {
    match filter_plan {
        FilterPlan::Column { column: column_ref, condition } => {
            if condition.negated {
                sql.push("NOT ");
            }
            column(sql, table, column_ref);
            operation(sql, column_ref, &condition.operation);
        }
        FilterPlan::Missing(_) => {
            sql.push("false");
        }
        FilterPlan::Embed { aggregate_alias, negated } => {
            let test = if *negated { " IS DISTINCT FROM NULL" } else { " IS NOT DISTINCT FROM NULL" };
            sql.ident(aggregate_alias).push(test);
        }
        FilterPlan::Group { negated, operator, members } => {
            group(sql, *negated, *operator, members, |sql, member| filter(sql, table, member));
        }
    }
}

pub fn group(
    sql: &mut Sql,
    negated: bool,
    operator: LogicOperator,
    members: &[FilterPlan],
    write: impl FnMut(&mut Sql, &FilterPlan),
) {
    let separator = match operator {
        LogicOperator::And => " AND ",
        LogicOperator::Or => " OR ",
    };
    sql.push(if negated { "NOT (" } else { "(" }).separated(members, separator, write).push(")");
}

fn operation(sql: &mut Sql, column_ref: &ColumnRef, operation: &Operation) {
    match operation {
        Operation::Simple { symbol, value } => {
            sql.push(" ").push(symbol).push(" ");
            operand(sql, column_ref, value);
        }
        Operation::Quantified { symbol, quantifier, value } => {
            sql.push(" ").push(symbol).push(match quantifier {
                Some(Quantifier::Any) => " ANY(",
                Some(Quantifier::All) => " ALL(",
                None => " ",
            });
            if symbol.ends_with("like") {
                sql.value(value.replace('*', "%"));
            } else {
                operand(sql, column_ref, value);
            }
            if quantifier.is_some() {
                sql.push(")");
            }
        }
        Operation::In(values) => in_list(sql, column_ref, values),
        Operation::Is(what) => {
            sql.push(" IS ").push(what);
        }
        Operation::IsDistinctFrom(value) => {
            sql.push(" IS DISTINCT FROM ");
            operand(sql, column_ref, value);
        }
        Operation::FullText { function, language, value } => {
            sql.push(" @@ ").push(function).push("(");
            if let Some(language) = language {
                sql.value(language).push(", ");
            }
            sql.value(value).push(")");
        }
    }
}

fn operand(sql: &mut Sql, column_ref: &ColumnRef, value: &str) {
    match &column_ref.transform {
        Some(function) => sql.push(function).push("(").value(value).push(")"),
        None => sql.value(value),
    };
}

/// Uses one array parameter instead of a list, so that the statement text does not depend on the number of
/// values.
fn in_list(sql: &mut Sql, column_ref: &ColumnRef, values: &[String]) {
    if let [only] = values
        && only.is_empty()
    {
        sql.push(" = ANY ('{}')");
        return;
    }
    let array = array_literal(values.iter().map(String::as_str));
    match &column_ref.transform {
        Some(function) => {
            sql.push(" = ANY (SELECT ").push(function).push("(unnest(").value(array).push("::text[])))");
        }
        None => {
            sql.push(" = ANY (").value(array).push(")");
        }
    }
}

pub fn join_condition(sql: &mut Sql, condition: &JoinCondition) {
    let ((left, left_column), (right, right_column)) = (&condition.left, &condition.right);
    sql.column(left, left_column).push(" = ").column(right, right_column);
}

pub fn order(sql: &mut Sql, table: &QualifiedName, terms: &[OrderPlan]) {
    if terms.is_empty() {
        return;
    }
    sql.push(" ORDER BY ").separated(terms, ", ", |sql, term| {
        match &term.relation {
            Some(alias) => column(sql, &QualifiedName::new("", alias), &term.column),
            None => column(sql, table, &term.column),
        }
        for word in [term.direction, term.nulls].into_iter().flatten() {
            sql.push(" ").push(word);
        }
    });
}
