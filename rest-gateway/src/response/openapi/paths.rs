//! The paths and their operations.

use serde_json::{Map, Value, json};

use super::{headline, parameters, properties, put_unless_empty};
use crate::schema_cache::routines::Routine;
use crate::schema_cache::tables::Table;

pub fn all(tables: &[&Table], routines: &[&Routine]) -> Map<String, Value> {
    let mut paths = Map::new();
    paths.insert("/".to_owned(), root());
    paths.extend(tables.iter().map(|table| (format!("/{}", table.name), of_table(table))));
    paths.extend(routines.iter().map(|routine| (format!("/rpc/{}", routine.name), of_routine(routine))));
    paths
}

fn root() -> Value {
    let mut operation = operation("Introspection", Some("OpenAPI description (this document)"));
    operation["produces"] = json!(["application/openapi+json", "application/json"]);
    operation["responses"] = responses(&[("200", "OK")]);
    json!({ "get": operation })
}

fn of_table(table: &Table) -> Value {
    let name = &table.name;
    let operation = |parameters: &[String], status: &str, meaning: &str| {
        let mut operation = operation(name, table.description.as_deref());
        operation["parameters"] =
            parameters.iter().map(|parameter| parameters::reference(parameter)).collect();
        operation["responses"] = responses(&[(status, meaning)]);
        operation
    };
    let filters: Vec<String> =
        table.columns.iter().map(|column| format!("rowFilter.{name}.{}", column.name)).collect();
    let filtered = |others: &[&str]| {
        let others = others.iter().map(|&other| other.to_owned());
        filters.iter().cloned().chain(others).collect::<Vec<String>>()
    };
    let body = format!("body.{name}");

    let shown = ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"];
    let mut get = operation(&filtered(&shown), "206", "Partial Content");
    get["responses"]["200"] = json!({ "description": "OK", "schema": {
        "type": "array", "items": { "$ref": format!("#/definitions/{name}") },
    }});
    let mut path = json!({ "get": get });
    if table.insertable || table.updatable || table.deletable {
        let inserted = [body.clone(), "select".to_owned(), "preferPost".to_owned()];
        path["post"] = operation(&inserted, "201", "Created");
        path["patch"] = operation(&filtered(&[&body, "preferReturn"]), "204", "No Content");
        path["delete"] = operation(&filtered(&["preferReturn"]), "204", "No Content");
    }
    path
}

fn of_routine(routine: &Routine) -> Value {
    let operation = |parameters: Vec<Value>| {
        let mut operation = operation(&format!("(rpc) {}", routine.name), routine.description.as_deref());
        operation["parameters"] = json!(parameters);
        operation["produces"] = json!([
            "application/json",
            "application/vnd.pgrst.object+json;nulls=stripped",
            "application/vnd.pgrst.object+json",
        ]);
        operation["responses"] = responses(&[("200", "OK")]);
        operation
    };
    let arguments =
        json!({ "name": "args", "in": "body", "required": true, "schema": arguments_schema(routine) });
    let mut path = json!({ "post": operation(vec![arguments, parameters::reference("preferParams")]) });
    if !routine.is_volatile() {
        let arguments = routine.parameters.iter().map(|parameter| parameters::argument(routine, parameter));
        path["get"] = operation(arguments.collect());
    }
    path
}

fn arguments_schema(routine: &Routine) -> Value {
    let mut schema = json!({ "type": "object" });
    if let Some(description) = &routine.description {
        schema["description"] = json!(description);
    }
    if !routine.parameters.is_empty() {
        schema["properties"] = routine
            .parameters
            .iter()
            .map(|parameter| {
                let data_type = parameters::data_type(routine, parameter);
                (parameter.name.clone(), properties::of_type(data_type))
            })
            .collect::<Map<String, Value>>()
            .into();
    }
    let required = routine.parameters.iter().filter(|p| p.required).map(|p| p.name.as_str());
    put_unless_empty(&mut schema, "required", required.collect());
    schema
}

fn operation(tag: &str, comment: Option<&str>) -> Value {
    let mut operation = json!({ "tags": [tag] });
    if let Some((summary, description)) = comment.map(headline) {
        operation["summary"] = json!(summary);
        if let Some(description) = description {
            operation["description"] = json!(description);
        }
    }
    operation
}

fn responses(all: &[(&str, &str)]) -> Value {
    all.iter()
        .map(|&(status, description)| (status.to_owned(), json!({ "description": description })))
        .collect::<Map<String, Value>>()
        .into()
}
