//! Function calls.

use super::fragment::{Param, Sql, array_literal};
use super::mutate::from_body;
use crate::plan::call::{Argument, Arguments, CallPlan};
use crate::plan::payload::PayloadColumn;
use crate::schema_cache::routines::Parameter;
use crate::schema_cache::tables::QualifiedName;

pub fn statement(sql: &mut Sql, plan: &CallPlan) {
    let call = QualifiedName::new("", "pgrst_call");
    sql.push("SELECT ");
    if plan.returns_scalars {
        sql.push("pgrst_call.pgrst_scalar");
    } else if plan.returning.is_empty() {
        sql.push("*");
    } else {
        sql.separated(&plan.returning, ", ", |sql, name| {
            sql.column(&call, name);
        });
    }
    match &plan.arguments {
        Arguments::Json { parameters, body } => {
            let columns = parameters.iter().map(|parameter| {
                let (name, kind) = (parameter.name.clone(), parameter.wide_type.clone());
                PayloadColumn { name, kind, transform: None, default: None }
            });
            let columns: Vec<PayloadColumn> = columns.collect();
            from_body(sql, body, &columns, false, "LIMIT 1");
            sql.push(", LATERAL ");
        }
        _ => {
            sql.push(" FROM ");
        }
    }
    if plan.returns_scalars {
        sql.push("(SELECT ");
        invocation(sql, plan);
        sql.push(" pgrst_scalar) pgrst_call");
    } else {
        invocation(sql, plan);
        sql.push(" pgrst_call");
    }
}

fn invocation(sql: &mut Sql, plan: &CallPlan) {
    sql.name(&plan.function).push("(");
    match &plan.arguments {
        Arguments::None => {}
        Arguments::Body { kind, body } if kind == "bytea" => {
            sql.param(Param::Binary(body.clone())).push("::bytea");
        }
        Arguments::Body { kind, body } => {
            sql.param(Param::Json(body.clone())).push("::").push(kind);
        }
        Arguments::Json { parameters, .. } => {
            sql.separated(parameters, ", ", |sql, parameter| {
                named(sql, parameter);
                sql.push("pgrst_body.").ident(&parameter.name);
            });
        }
        Arguments::Direct(arguments) => {
            sql.separated(arguments, ", ", |sql, (parameter, argument)| {
                named(sql, parameter);
                match argument {
                    Argument::Single(value) => sql.value(value),
                    Argument::Several(values) => sql.value(array_literal(values.iter().map(String::as_str))),
                };
                sql.push("::").push(&parameter.wide_type);
            });
        }
    }
    sql.push(")");
}

fn named(sql: &mut Sql, parameter: &Parameter) {
    if parameter.variadic {
        sql.push("VARIADIC ");
    }
    sql.ident(&parameter.name).push(" := ");
}
