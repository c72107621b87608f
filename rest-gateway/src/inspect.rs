//! The root endpoint: the OpenAPI description for the caller.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::admission::{Estimate, Weight};
use crate::config::Config;
use crate::config::openapi::OpenApiMode;
use crate::context::RequestContext;
use crate::error::Error;
use crate::execute::{Job, Transaction};
use crate::media::MediaType;
use crate::plan::Plan;
use crate::query::fragment::Sql;
use crate::query::transaction;
use crate::request::Request;
use crate::request_log;
use crate::response::body::ResponseBuilder;
use crate::response::openapi;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::routines::Routine;
use crate::schema_cache::tables::Table;

type Names = BTreeSet<String>;

/// # Errors
/// When the query for the caller's privileges fails.
pub async fn describe(context: RequestContext<'_>, request: &Request) -> Result<Response, Error> {
    let (config, descriptions) = (&context.snapshot.config, &context.schema.descriptions);
    let visible = match config.openapi.mode {
        OpenApiMode::FollowPrivileges => Some(accessible(context, request).await?),
        _ => None,
    };
    let mut hasher = DefaultHasher::new();
    (&request.schema, &visible).hash(&mut hasher);
    let key = hasher.finish();
    let (plain, gzip) = match descriptions.get(&key) {
        Some(known) => known,
        None => {
            let text = document(config, &context.schema.cache, &request.schema, visible.as_ref());
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            // Writing to memory can't fail.
            let gzip = gzip.write_all(text.as_bytes()).and_then(|()| gzip.finish()).unwrap_or_default();
            let new = (Bytes::from(text), Bytes::from(gzip));
            descriptions.insert(key, new.clone());
            new
        }
    };
    let response = ResponseBuilder::new(StatusCode::OK).content_type(Some(&MediaType::OpenApi), request);
    let mut response = match accepts_gzip(context.http.headers) {
        true => response.header("content-encoding", "gzip").body(gzip),
        false => response.body(plain),
    }
    .into_response(request.is_head());
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    Ok(response)
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    let mut codings = lines.flat_map(|line| line.split(',')).map(str::trim);
    codings.any(|coding| coding.strip_prefix("gzip").is_some_and(|weight| !weight.ends_with("q=0")))
}

fn document(config: &Config, cache: &SchemaCache, schema: &str, visible: Option<&(Names, Names)>) -> String {
    let mut tables: Vec<&Table> =
        cache.tables.get(schema).into_iter().flat_map(|tables| tables.values()).collect();
    let mut routines: Vec<&Routine> =
        cache.routines.get(schema).into_iter().flat_map(|routines| routines.values().flatten()).collect();
    if let Some((may_read, may_call)) = visible {
        tables.retain(|table| may_read.contains(&table.name));
        routines.retain(|routine| may_call.contains(&routine.name));
    }
    tables.sort_by(|one, two| one.name.cmp(&two.name));
    routines.sort_by(|one, two| one.name.cmp(&two.name));
    openapi::describe(config, cache, schema, &tables, &routines).to_string()
}

/// The names of the tables and functions on which the caller's role has any privilege.
async fn accessible(context: RequestContext<'_>, request: &Request) -> Result<(Names, Names), Error> {
    let snapshot = context.snapshot;
    let plan = Plan::Inspect;
    let job = Job {
        session: context.session(),
        transaction: Transaction {
            begin: None,
            settings: context.settings(&plan, request, false),
            pre_request: transaction::pre_request(&snapshot.config),
            rolls_back: false,
            reads_only: true,
        },
        statement: privileges(&request.schema).into(),
        estimate: None,
        explains: false,
        may_use_replica: true,
    };
    if snapshot.config.server.log_query {
        request_log::statements(&job);
    }
    let cost = Estimate { weight: Weight::Ordinary, shape: 0 };
    let outcome = context.run(&plan, cost, &job, None).await?;
    Ok(serde_json::from_slice(&outcome.body).unwrap_or_default())
}

/// Selects the names of the schema's tables and functions on which the current role has any privilege.
fn privileges(schema: &str) -> Sql {
    let mut statement = Sql::default();
    statement.push(
        "select null::bigint as total_result_set, 0::bigint as page_total, pg_catalog.json_build_array(array(\
           select c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
           where c.relkind in ('r', 'v', 'm', 'f', 'p') and n.nspname = ",
    );
    statement.value(schema).push(
        " and (pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete') \
             or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update'))), array(\
           select p.proname from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace \
           where n.nspname = ",
    );
    statement.value(schema).push(
        " and pg_catalog.has_function_privilege(p.oid, 'execute'))) as body, null::text as response_headers, \
             null::text as response_status, null::int as response_inserted",
    );
    statement
}
