//! Media type handlers: the built-in ones and those defined in the database.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::tables::{QualifiedName, dump_name};
use crate::media::MediaType;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handler {
    Json,
    JsonStrippedArray,
    SingularJson {
        strip_nulls: bool,
    },
    GeoJson,
    Csv,
    /// Calls `function` with the row, cast to `target` unless the function accepts any element.
    Custom {
        function: QualifiedName,
        target: Option<QualifiedName>,
    },
    /// No response body.
    None,
}

#[derive(Deserialize)]
pub struct HandlerRow {
    pub handler: QualifiedName,
    pub target: QualifiedName,
    pub media: String,
}

type HandlerMatch = (Handler, MediaType);

#[derive(Debug, Default)]
pub struct MediaHandlers {
    for_anything: HashMap<MediaType, HandlerMatch>,
    for_target: HashMap<QualifiedName, HashMap<MediaType, HandlerMatch>>,
}

impl MediaHandlers {
    pub fn len(&self) -> usize {
        self.for_anything.len() + self.for_target.values().map(HashMap::len).sum::<usize>()
    }

    pub fn new(rows: Vec<HandlerRow>) -> Self {
        let mut handlers = Self::default();
        let built_in = [
            (MediaType::Any, Handler::Json, MediaType::Json),
            (MediaType::Json, Handler::Json, MediaType::Json),
            (MediaType::Csv, Handler::Csv, MediaType::Csv),
            (MediaType::GeoJson, Handler::GeoJson, MediaType::GeoJson),
        ];
        for (accepted, handler, produced) in built_in {
            handlers.for_anything.insert(accepted, (handler, produced));
        }
        for row in rows {
            let accepted = MediaType::parse(&row.media);
            // A handler for any media type sets the Content-Type header itself.
            let produced = if accepted == MediaType::Any { MediaType::OctetStream } else { accepted.clone() };
            if row.target.name == "anyelement" {
                let handler = Handler::Custom { function: row.handler, target: None };
                handlers.for_anything.insert(accepted, (handler, produced));
            } else {
                let handler = Handler::Custom { function: row.handler, target: Some(row.target.clone()) };
                handlers.for_target.entry(row.target).or_default().insert(accepted, (handler, produced));
            }
        }
        handlers
    }

    /// The built-in handlers first, in PostgREST's order.
    pub(super) fn dump(&self) -> Value {
        let line = |target: Value, accepted: &MediaType, (handler, produced): &HandlerMatch| {
            json!([[target, dump_media(accepted)], [dump_handler(handler), dump_media(produced)]])
        };
        let built_in = [MediaType::GeoJson, MediaType::Json, MediaType::Csv, MediaType::Any];
        let found =
            |accepted: &MediaType| Some(line(dump_target(None), accepted, self.for_anything.get(accepted)?));
        let mut all: Vec<Value> = built_in.iter().filter_map(found).collect();
        let others = self.for_anything.iter().filter(|(accepted, _)| !built_in.contains(accepted));
        let mut others: Vec<Value> =
            others.map(|(accepted, found)| line(dump_target(None), accepted, found)).collect();
        for (target, handlers) in &self.for_target {
            let target = dump_target(Some(target));
            others.extend(handlers.iter().map(|(accepted, found)| line(target.clone(), accepted, found)));
        }
        others.sort_by_key(Value::to_string);
        all.extend(others);
        Value::Array(all)
    }

    /// `whole_rows`: a handler for a table requires that its rows are selected unchanged.
    pub fn find(&self, target: &QualifiedName, media: &MediaType, whole_rows: bool) -> Option<HandlerMatch> {
        let own = if whole_rows { self.for_target.get(target) } else { None };
        own.and_then(|own| own.get(&MediaType::Any).or_else(|| own.get(media)))
            .or_else(|| self.for_anything.get(media))
            .cloned()
    }
}

/// The rows that a handler takes: those of a table, or any.
fn dump_target(target: Option<&QualifiedName>) -> Value {
    match target {
        Some(target) => json!({ "contents": dump_name(&target.schema, &target.name), "tag": "RelId" }),
        None => json!({ "tag": "RelAnyElement" }),
    }
}

fn dump_media(media: &MediaType) -> Value {
    let tag = match media {
        MediaType::Json => "MTApplicationJSON",
        MediaType::GeoJson => "MTGeoJSON",
        MediaType::Csv => "MTTextCSV",
        MediaType::PlainText => "MTTextPlain",
        MediaType::Xml => "MTTextXML",
        MediaType::OpenApi => "MTOpenAPI",
        MediaType::UrlEncoded => "MTUrlEncoded",
        MediaType::OctetStream => "MTOctetStream",
        MediaType::Any => "MTAny",
        MediaType::Singular { strip_nulls } => {
            return json!({ "contents": strip_nulls, "tag": "MTVndSingularJSON" });
        }
        MediaType::StrippedArray => "MTVndArrayJSONStrip",
        MediaType::Plan(_) => "MTVndPlan",
        MediaType::Other(name) => return json!({ "contents": name, "tag": "MTOther" }),
    };
    json!({ "tag": tag })
}

fn dump_handler(handler: &Handler) -> Value {
    let tag = match handler {
        Handler::Json => "BuiltinOvAggJson",
        Handler::JsonStrippedArray => "BuiltinAggArrayJsonStrip",
        Handler::SingularJson { strip_nulls } => {
            return json!({ "contents": strip_nulls, "tag": "BuiltinAggSingleJson" });
        }
        Handler::GeoJson => "BuiltinOvAggGeoJson",
        Handler::Csv => "BuiltinOvAggCsv",
        Handler::Custom { function, target } => {
            let function = dump_name(&function.schema, &function.name);
            return json!({ "contents": [function, dump_target(target.as_ref())], "tag": "CustomFunc" });
        }
        Handler::None => "NoAgg",
    };
    json!({ "tag": tag })
}
