//! Requests that are ready to run: plan and statement, made once for all requests of a shape.

use std::sync::Arc;

use axum::http::{HeaderMap, Method};
use bytes::Bytes;
use quick_cache::sync::Cache;

use crate::admission::Weight;
use crate::config::Config;
use crate::error::Error;
use crate::execute::Statement;
use crate::media::MediaType;
use crate::plan::{self, Plan};
use crate::query::fragment::{Param, Sql};
use crate::query::statement;
use crate::request::Request;
use crate::request::cost::Patterns;
use crate::request::error::RequestError;
use crate::request::preferences::Count;
use crate::request::shape::{Shape, Value};
use crate::schema_cache::SchemaCache;

/// How many shapes a gateway remembers. The application has about a hundred.
const SHAPES: usize = 512;

/// The compiled reads of a schema cache, by the key of their shape.
pub struct CompiledReads(Cache<Box<str>, Arc<Compiled<'static>>>);

impl Default for CompiledReads {
    fn default() -> Self {
        Self(Cache::new(SHAPES))
    }
}

impl CompiledReads {
    /// `None` if requests of this shape have to be planned one by one. That includes those that fail, because
    /// errors quote the values.
    pub fn get(
        &self,
        shape: &Shape,
        (method, path, headers): (&Method, &str, &HeaderMap),
        config: &Config,
        cache: &SchemaCache,
    ) -> Option<Arc<Compiled<'static>>> {
        if let Some(known) = self.0.get(shape.key.as_str()) {
            return Some(known);
        }
        let uri = shape.uri(path)?;
        let request = Request::parse(config, method, &uri, headers, Bytes::new()).ok()?;
        let compiled = Arc::new(Compiled::new(request, config, cache).ok()?.into_read(shape)?);
        self.0.insert(shape.key.as_str().into(), Arc::clone(&compiled));
        Some(compiled)
    }
}

pub struct Compiled<'c> {
    /// With placeholders, if it is shared.
    pub request: Request,
    pub plan: Plan<'c>,
    pub statement: Template,
    pub estimate: Option<Template>,
    pub weight: Weight,
    pub needs_custom_plan: bool,
    /// Without the bytes of the patterns that placeholders stand for.
    patterns: Patterns,
}

impl<'c> Compiled<'c> {
    /// # Errors
    /// When the request does not fit the schema.
    pub fn new(mut request: Request, config: &Config, cache: &'c SchemaCache) -> Result<Self, Error> {
        let patterns = Patterns::of(&request.query);
        // Before anything is made of them.
        patterns.check(&config.load)?;
        if config.database.exact_counts {
            request.preferences.count = request.preferences.count.map(|_| Count::Exact);
        }
        let plan = plan::plan(&request, config, cache)?;
        let max_rows = config.database.max_rows;
        Ok(Self {
            statement: Template::new(statement::build(&plan, &request, max_rows).unwrap_or_default()),
            estimate: statement::planned_count(&plan, &request).map(Template::new),
            weight: Weight::of(&plan, &request, cache),
            needs_custom_plan: plan::values::needs_custom_plan(&plan, cache, max_rows),
            request,
            plan,
            patterns,
        })
    }

    /// `None` if it is no read, or if a value has an effect that a placeholder can't have.
    fn into_read(mut self, shape: &Shape) -> Option<Compiled<'static>> {
        let Plan::Read { read, handler, media } = self.plan else { return None };
        let is_explanation = matches!(media, MediaType::Plan(_));
        for (number, (kind, _)) in shape.values.iter().enumerate() {
            let placeholder = Shape::placeholder(number);
            let found = self.statement.replace(&placeholder, number, *kind);
            if !found || is_explanation {
                return None;
            }
            if let Some(estimate) = &mut self.estimate
                && !estimate.replace(&placeholder, number, *kind)
            {
                return None;
            }
            if *kind != Value::Plain {
                self.patterns.bytes -= placeholder.len();
            }
        }
        Some(Compiled { plan: Plan::Read { read, handler, media }, ..self })
    }

    /// # Errors
    /// When the values make the patterns too long.
    pub fn check_patterns(&self, values: &[(Value, String)], config: &Config) -> Result<(), RequestError> {
        let lengths = values.iter().filter(|(kind, _)| *kind != Value::Plain).map(|(_, value)| value.len());
        let bytes = self.patterns.bytes + lengths.sum::<usize>();
        Patterns { bytes, ..self.patterns }.check(&config.load)
    }
}

/// A statement whose parameters may be values of the request.
pub struct Template {
    text: Arc<str>,
    params: Vec<Part>,
}

enum Part {
    Fixed(Param),
    /// The number of the value, and what it is.
    Value(usize, Value),
}

impl Template {
    fn new(sql: Sql) -> Self {
        Self { text: sql.text.into(), params: sql.params.into_iter().map(Part::Fixed).collect() }
    }

    /// Replaces all occurrences. Returns whether there is one.
    fn replace(&mut self, placeholder: &str, number: usize, kind: Value) -> bool {
        let mut found = false;
        for part in &mut self.params {
            if matches!(part, Part::Fixed(Param::Text(text)) if text == placeholder) {
                *part = Part::Value(number, kind);
                found = true;
            }
        }
        found
    }

    pub fn with(&self, values: &[(Value, String)]) -> Statement {
        let params = self.params.iter().map(|part| match part {
            Part::Fixed(param) => param.clone(),
            Part::Value(number, kind) => {
                let value = values.get(*number).map(|(_, value)| value.as_str()).unwrap_or_default();
                Param::Text(if *kind == Value::Wildcards {
                    value.replace('*', "%")
                } else {
                    value.to_owned()
                })
            }
        });
        Statement { text: Arc::clone(&self.text), params: params.collect() }
    }
}
