//! Function calls: selects the overload and its arguments.

use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;

use super::types::{FilterPlan, ReadPlan};
use super::{Context, Plan, mutate, negotiate, payload, read, schema_error};
use crate::error_body::{ErrorBody, Rejection};
use crate::media::MediaType;
use crate::request::payload::Payload;
use crate::schema_cache::routines::{Parameter, Routine};
use crate::schema_cache::tables::QualifiedName;

#[derive(Debug)]
pub struct CallPlan {
    pub function: QualifiedName,
    pub arguments: Arguments,
    pub returns_scalars: bool,
    /// Columns to return. Empty or `*` means all.
    pub returning: Vec<String>,
}

#[derive(Debug)]
pub enum Arguments {
    None,
    /// The whole body as the single unnamed argument of this type.
    Body {
        kind: String,
        body: Bytes,
    },
    /// Properties of a JSON object.
    Json {
        parameters: Vec<Parameter>,
        body: Bytes,
    },
    /// Text values from the query string or a form.
    Direct(Vec<(Parameter, Argument)>),
}

#[derive(Debug)]
pub enum Argument {
    Single(String),
    Several(Vec<String>),
}

pub fn plan<'a>(context: &Context<'_, 'a>) -> Result<Plan<'a>, Rejection> {
    let request = context.request;
    let keys: BTreeSet<String> = if request.is_post() {
        request.columns.clone()
    } else {
        request.query.arguments.iter().map(|(name, _)| name.clone()).collect()
    };
    let routine = find(context, &keys)?;
    let preferences = &request.preferences;
    if preferences.is_strict() && preferences.max_affected.is_some() && routine.returns_single() {
        let message =
            "Function must return SETOF or TABLE when max-affected preference is used with handling=strict";
        return Err(ErrorBody::bad_request("PGRST128", message));
    }
    let table = QualifiedName::new(&routine.schema, routine.table_name().unwrap_or(&routine.name));
    let read = read::plan(context, &table, true)?;
    let call = CallPlan {
        function: QualifiedName::new(&routine.schema, &routine.name),
        arguments: arguments(context, routine, &keys),
        returns_scalars: routine.returns_scalar() || routine.returns_set_of_scalar(),
        returning: returning(&read),
    };
    let (handler, media) = negotiate::content(context, &table, &read)?;
    context.check_preferences()?;
    Ok(Plan::Call { read, call, routine, handler, media })
}

/// Finds the overload that takes exactly these arguments, or the one that takes the whole body.
pub fn find<'a>(context: &Context<'_, 'a>, keys: &BTreeSet<String>) -> Result<&'a Routine, Rejection> {
    let request = context.request;
    let overloads = context.cache.routines_named(&request.schema, &request.resource);
    let named: Vec<&Routine> = overloads.iter().filter(|routine| takes(context, routine, keys)).collect();
    if let [only] = named.as_slice() {
        return Ok(only);
    }
    if !named.is_empty() {
        return Err(schema_error::ambiguous_routine(&named));
    }
    let unnamed: Vec<&Routine> = overloads.iter().filter(|routine| takes_body(context, routine)).collect();
    match unnamed.as_slice() {
        [] => Err(schema_error::no_routine(context.cache, request, keys)),
        [only] => Ok(only),
        several => Err(schema_error::ambiguous_routine(several)),
    }
}

fn takes(context: &Context<'_, '_>, routine: &Routine, keys: &BTreeSet<String>) -> bool {
    if routine.parameters.is_empty() {
        let raw =
            matches!(context.request.content, MediaType::OctetStream | MediaType::PlainText | MediaType::Xml);
        return keys.is_empty() && !(context.request.is_post() && raw);
    }
    let known = |key: &String| routine.parameters.iter().any(|parameter| parameter.name == *key);
    keys.iter().all(known)
        && routine.parameters.iter().filter(|p| p.required).all(|parameter| keys.contains(&parameter.name))
}

fn takes_body(context: &Context<'_, '_>, routine: &Routine) -> bool {
    let Some(only) = routine.body_parameter() else { return false };
    context.request.is_post()
        && match context.request.content {
            MediaType::Json => matches!(only.kind.as_str(), "json" | "jsonb"),
            MediaType::PlainText => only.kind == "text",
            MediaType::Xml => only.kind == "xml",
            MediaType::OctetStream => only.kind == "bytea",
            _ => false,
        }
}

fn arguments(context: &Context<'_, '_>, routine: &Routine, keys: &BTreeSet<String>) -> Arguments {
    let request = context.request;
    if let (Some(parameter), true) = (routine.body_parameter(), request.is_post()) {
        return Arguments::Body { kind: parameter.kind.clone(), body: payload::body(context) };
    }
    let given: Vec<Parameter> =
        routine.parameters.iter().filter(|p| keys.contains(&p.name)).cloned().collect();
    if given.is_empty() {
        return Arguments::None;
    }
    match (&request.payload, request.is_post()) {
        (Some(Payload::Json(body) | Payload::Raw(body)), true) => {
            Arguments::Json { parameters: given, body: body.clone() }
        }
        (Some(Payload::Form(form)), true) => direct(given, form),
        _ => direct(given, &request.query.arguments),
    }
}

/// For a repeated argument the last value wins, unless the parameter is variadic.
fn direct(parameters: Vec<Parameter>, values: &[(String, String)]) -> Arguments {
    let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, value) in values {
        by_name.entry(name).or_default().push(value);
    }
    let arguments = parameters.into_iter().filter_map(|parameter| {
        let values = by_name.get(parameter.name.as_str())?;
        let argument = if parameter.variadic {
            Argument::Several(values.iter().map(|value| (*value).to_owned()).collect())
        } else {
            Argument::Single((*values.last()?).to_owned())
        };
        Some((parameter, argument))
    });
    Arguments::Direct(arguments.collect())
}

/// The columns that select, joins and filters need. All columns if they are unknown.
fn returning(read: &ReadPlan) -> Vec<String> {
    let mut needed = mutate::needed_columns(read, &[]);
    if needed.is_empty() || needed.iter().any(|name| name == "*") {
        return needed;
    }
    let mut names = BTreeSet::new();
    for filter in &read.filters {
        add_filtered_columns(filter, &mut names);
    }
    names.extend(
        read.order.iter().filter(|term| term.relation.is_none()).map(|term| term.column.name.clone()),
    );
    needed.extend(names);
    needed.sort();
    needed.dedup();
    needed
}

fn add_filtered_columns(filter: &FilterPlan, names: &mut BTreeSet<String>) {
    match filter {
        FilterPlan::Column { column, .. } => {
            names.insert(column.name.clone());
        }
        FilterPlan::Group { members, .. } => {
            members.iter().for_each(|member| add_filtered_columns(member, names));
        }
        FilterPlan::Embed { .. } | FilterPlan::Missing(_) => {}
    }
}
