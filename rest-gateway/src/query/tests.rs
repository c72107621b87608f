//! Tests the stages from the request to the SQL, without a database.

use std::collections::HashMap;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use bytes::Bytes;
use platform::env::Env;
use serde_json::json;

use super::fragment::Sql;
use super::statement;
use crate::config::Config;
use crate::error::Error;
use crate::plan;
use crate::request::Request;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::media_handlers::MediaHandlers;
use crate::schema_cache::relations::{self, Cardinality, Kind, Relation};
use crate::schema_cache::tables::{QualifiedName, Table};

fn table(name: &str, columns: &[(&str, &str)]) -> Table {
    let columns: Vec<_> = columns
        .iter()
        .map(|(name, kind)| {
            json!({ "name": name, "description": null, "nullable": true, "data_type": kind, "nominal_type": kind,
                    "base_type": kind, "max_length": null, "default": null, "enum": [] })
        })
        .collect();
    let table = json!({ "schema": "api", "name": name, "description": null, "is_view": false, "insertable": true,
        "updatable": true, "deletable": true, "inserts_by_trigger": false, "primary_key": ["id"], "columns": columns });
    serde_json::from_value(table).unwrap()
}

fn cache() -> SchemaCache {
    let clients = table("clients", &[("id", "integer"), ("name", "text"), ("data", "jsonb")]);
    let projects = table("projects", &[("id", "integer"), ("name", "text"), ("client_id", "integer")]);
    let key = Relation {
        table: QualifiedName::new("api", "projects"),
        foreign: QualifiedName::new("api", "clients"),
        is_self: false,
        kind: Kind::Direct {
            cardinality: Cardinality::ManyToOne,
            is_parent: false,
            constraint: "projects_client_id_fkey".into(),
            columns: vec![("client_id".into(), "id".into())],
        },
        table_is_view: false,
        foreign_is_view: false,
    };
    let schemas = ["api".to_owned()];
    SchemaCache {
        relations: relations::index(vec![key], &[], Vec::new(), &HashMap::new(), &schemas),
        tables: HashMap::from([(
            "api".to_owned(),
            [clients, projects].into_iter().map(|table| (table.name.clone(), table)).collect(),
        )]),
        handlers: MediaHandlers::new(Vec::new()),
        ..SchemaCache::default()
    }
}

fn build(
    method: &str,
    target: &str,
    headers: &[(&'static str, &'static str)],
    body: &str,
) -> Result<Sql, Error> {
    let env: Env =
        [("PGRST_DB_SCHEMAS", "api"), ("PGRST_DB_MAX_ROWS", "1000"), ("PGRST_DB_AGGREGATES_ENABLED", "true")]
            .into_iter()
            .collect();
    let config = Config::from_env(&env).unwrap();
    let method: Method = method.parse().unwrap();
    let uri: Uri = target.parse().unwrap();
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
        .collect();
    let request = Request::parse(&config, &method, &uri, &headers, Bytes::copy_from_slice(body.as_bytes()))?;
    let cache = cache();
    let plan = plan::plan(&request, &config, &cache)?;
    Ok(statement::build(&plan, &request, config.database.max_rows).unwrap())
}

/// The part of a statement that the plan determines: the source CTE.
fn source(method: &str, target: &str, headers: &[(&'static str, &'static str)], body: &str) -> String {
    let text = build(method, target, headers, body).unwrap().text;
    let inner = text.strip_prefix("WITH pgrst_source AS (").unwrap();
    let end = inner.find(") SELECT null::bigint").unwrap();
    inner[..end].trim().to_owned()
}

#[test]
fn values_are_parameters_and_names_are_quoted() {
    let sql = build("GET", "/clients?name=eq.x'y&select=name,%22wei\\%22rd%22&id=in.(1,2)", &[], "").unwrap();
    assert!(!sql.text.contains("x'y"), "{}", sql.text);
    assert!(sql.text.contains(r#""api"."clients"."wei""rd""#), "{}", sql.text);
    assert_eq!(sql.params.len(), 2);
}

#[test]
fn a_read_is_a_select() {
    assert_eq!(
        source("GET", "/clients?select=id,data-%3Ea-%3E%3Eb&name=like.*x&order=id.desc&limit=5", &[], ""),
        r#"SELECT "api"."clients"."id", "api"."clients"."data"->$1->>$2 AS "b" FROM "api"."clients" WHERE "api"."clients"."name" like $3 ORDER BY "api"."clients"."id" DESC LIMIT 5"#
    );
}

#[test]
fn embedded_resources_are_lateral_joins() {
    assert_eq!(
        source("GET", "/projects?select=id,clients!inner(name)", &[], ""),
        concat!(
            r#"SELECT "api"."projects"."id", row_to_json("projects_clients_1".*)::jsonb AS "clients" FROM "api"."projects" "#,
            r#"INNER JOIN LATERAL ( SELECT "clients_1"."name" FROM "api"."clients" AS "clients_1" "#,
            r#"WHERE "clients_1"."id" = "api"."projects"."client_id" ) AS "projects_clients_1" ON TRUE "#,
            "LIMIT 1000"
        )
    );
    let limited = source("GET", "/projects?select=id,clients!inner(name)&clients.limit=0", &[], "");
    assert!(limited.contains(r#""client_id" LIMIT 0 ) AS "projects_clients_1""#), "{limited}");
    assert_eq!(
        source("GET", "/clients?select=id,projects(id)", &[], ""),
        concat!(
            r#"SELECT "api"."clients"."id", COALESCE( "clients_projects_1"."clients_projects_1", '[]') AS "projects" FROM "api"."clients" "#,
            r#"LEFT JOIN LATERAL ( SELECT json_agg("clients_projects_1")::jsonb AS "clients_projects_1" FROM ("#,
            r#"SELECT "projects_1"."id" FROM "api"."projects" AS "projects_1" WHERE "projects_1"."client_id" = "api"."clients"."id" "#,
            r#"LIMIT 1000 ) AS "clients_projects_1" ) AS "clients_projects_1" ON TRUE LIMIT 1000"#
        )
    );
}

#[test]
fn a_page_is_limited_before_it_is_joined() {
    let page = |query: &str| source("GET", query, &[], "");
    assert_eq!(
        page("/projects?select=id,clients(name)&id=gt.1&order=name.desc&limit=5"),
        concat!(
            r#"SELECT "projects"."id", row_to_json("projects_clients_1".*)::jsonb AS "clients" FROM ("#,
            r#"SELECT "projects".* FROM "api"."projects" AS "projects" WHERE "projects"."id" > $1 "#,
            r#"ORDER BY "projects"."name" DESC LIMIT 5 ) AS "projects" "#,
            r#"LEFT JOIN LATERAL ( SELECT "clients_1"."name" FROM "api"."clients" AS "clients_1" "#,
            r#"WHERE "clients_1"."id" = "projects"."client_id" LIMIT 1000 ) AS "projects_clients_1" ON TRUE "#,
            r#"ORDER BY "projects"."name" DESC LIMIT 5"#
        )
    );
    for joined_first in [
        "/projects?select=id,clients!inner(name)&order=name",
        "/projects?select=id,clients(name)&clients=is.null&order=name",
        "/projects?select=id,clients(name)&or=(id.eq.1,clients.not.is.null)&order=name",
        "/projects?select=id,clients(name)&order=clients(name),id",
        "/projects?select=id,...clients(client:name)&order=name",
        "/projects?select=client_id,id.count(),clients(name)&order=client_id",
        "/projects?select=id,clients(name)&order=name&offset=5",
        // Functions that take the table's row.
        "/projects?select=id,age,clients(name)&order=name",
        "/projects?select=id,clients(name)&order=age",
        // Nothing to limit.
        "/projects?select=id,clients(name)",
    ] {
        assert!(!page(joined_first).contains("FROM (SELECT"), "{joined_first}");
    }
}

#[test]
fn bodies_are_one_parameter_with_types_from_the_catalog() {
    assert_eq!(
        source("POST", "/clients", &[("prefer", "return=minimal")], r#"[{"name":"a","id":1}]"#),
        concat!(
            r#"INSERT INTO "api"."clients"("id", "name") SELECT "pgrst_body"."id", "pgrst_body"."name" FROM "#,
            r#"(SELECT $1::json AS json_data) pgrst_payload, LATERAL (SELECT "id", "name" FROM "#,
            r#"json_to_recordset(pgrst_payload.json_data) AS _("id" integer, "name" text) ) pgrst_body RETURNING 1"#
        )
    );
    let updated =
        source("PATCH", "/clients?id=eq.1", &[("prefer", "return=representation")], r#"{"name":"a"}"#);
    assert!(
        updated.starts_with(r#"UPDATE "api"."clients" SET "name" = "pgrst_body"."name" FROM"#),
        "{updated}"
    );
    assert!(updated.ends_with(r#"WHERE "api"."clients"."id" = $2 RETURNING "api"."clients".*"#), "{updated}");
    let merged =
        source("POST", "/clients", &[("prefer", "resolution=merge-duplicates")], r#"{"id":1,"name":"a"}"#);
    assert!(
        merged.contains(
            r#"ON CONFLICT("id") DO UPDATE SET "id" = EXCLUDED."id", "name" = EXCLUDED."name" WHERE"#
        ),
        "{merged}"
    );
}

#[test]
fn unknown_columns_do_not_reach_the_database() {
    let error = build("POST", "/clients", &[], r#"{"name; drop":1}"#).unwrap_err();
    assert_eq!(error.error_body().code, "PGRST204");
    assert_eq!(build("GET", "/nothing", &[], "").unwrap_err().error_body().code, "PGRST205");
    assert_eq!(
        build("GET", "/clients?select=id,nothing(*)", &[], "").unwrap_err().error_body().code,
        "PGRST200"
    );
}
