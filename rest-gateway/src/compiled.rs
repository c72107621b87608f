//! Compiled requests: the plan and the statement. All reads of the same shape share them.

use std::sync::Arc;

use axum::http::{HeaderMap, Method};
use bytes::Bytes;
use metrics::{Counter, counter};
use quick_cache::sync::Cache;

use crate::admission::Estimate;
use crate::config::Config;
use crate::error_body::Rejection;
use crate::execute::Statement;
use crate::media::MediaType;
use crate::plan::{self, Plan};
use crate::query::fragment::{Param, Sql};
use crate::query::statement;
use crate::request::Request;
use crate::request::patterns::Patterns;
use crate::request::preferences::Count;
use crate::request::shape::{Shape, ValueKind};
use crate::schema_cache::SchemaCache;

/// The maximum number of cached reads. The application has about a hundred shapes.
const MAX_READS: usize = 512;

/// The compiled reads for a schema cache, by the key of their shape.
pub struct CompiledReads {
    cached: Cache<Box<str>, Arc<Compiled<'static>>>,
    requests: Counter,
    hits: Counter,
}

impl Default for CompiledReads {
    fn default() -> Self {
        Self {
            cached: Cache::new(MAX_READS),
            requests: counter!("gateway_plan_cache_requests_total"),
            hits: counter!("gateway_plan_cache_hits_total"),
        }
    }
}

impl CompiledReads {
    /// Returns `None` if requests of this shape must be planned one by one. Failing requests are among them,
    /// because errors quote the values.
    pub fn get(
        &self,
        shape: &Shape,
        (method, path, headers): (&Method, &str, &HeaderMap),
        config: &Config,
        cache: &SchemaCache,
    ) -> Option<Arc<Compiled<'static>>> {
        self.requests.increment(1);
        if let Some(cached) = self.cached.get(shape.key.as_str()) {
            self.hits.increment(1);
            return Some(cached);
        }
        let uri = shape.uri(path)?;
        let request = Request::parse(config, method, &uri, headers, Bytes::new()).ok()?;
        let compiled = Arc::new(Compiled::new(request, config, cache).ok()?.into_read(shape)?);
        self.cached.insert(shape.key.as_str().into(), Arc::clone(&compiled));
        Some(compiled)
    }
}

pub struct Compiled<'c> {
    /// Contains placeholders if it is shared.
    pub request: Request,
    pub plan: Plan<'c>,
    pub statement: Template,
    pub estimate: Option<Template>,
    pub cost: Estimate,
    pub needs_custom_plan: bool,
    /// Excludes the patterns that placeholders stand for.
    patterns: Patterns,
}

impl<'c> Compiled<'c> {
    /// # Errors
    /// When the request does not fit the schema.
    pub fn new(mut request: Request, config: &Config, cache: &'c SchemaCache) -> Result<Self, Rejection> {
        let patterns = Patterns::in_query(&request.query);
        // Check first, so that nothing is built for a request that is rejected.
        patterns.check()?;
        if config.database.exact_counts {
            request.preferences.count = request.preferences.count.map(|_| Count::Exact);
        }
        let plan = plan::plan(&request, config, cache)?;
        let max_rows = config.database.max_rows;
        let statement = statement::build(&plan, &request, max_rows).unwrap_or_default();
        Ok(Self {
            cost: Estimate::new(&plan, &request, cache, &statement.text),
            statement: Template::new(statement),
            estimate: statement::planned_count(&plan, &request).map(Template::new),
            needs_custom_plan: plan::custom_plan::is_needed(&plan, cache, max_rows),
            request,
            plan,
            patterns,
        })
    }

    /// Returns `None` unless it is a read whose statement contains the values as parameters only.
    fn into_read(mut self, shape: &Shape) -> Option<Compiled<'static>> {
        let Plan::Read { read, handler, media } = self.plan else { return None };
        let is_explanation = matches!(media, MediaType::Plan(_));
        for (index, (kind, _)) in shape.values.iter().enumerate() {
            let placeholder = Shape::placeholder(index);
            let found = self.statement.replace(&placeholder, index, *kind);
            if !found || is_explanation {
                return None;
            }
            if let Some(estimate) = &mut self.estimate
                && !estimate.replace(&placeholder, index, *kind)
            {
                return None;
            }
            if *kind != ValueKind::Plain {
                self.patterns.bytes -= placeholder.len();
            }
        }
        Some(Compiled { plan: Plan::Read { read, handler, media }, ..self })
    }

    /// # Errors
    /// When the values make the patterns too long.
    pub fn check_patterns(&self, values: &[(ValueKind, String)]) -> Result<(), Rejection> {
        let lengths =
            values.iter().filter(|(kind, _)| *kind != ValueKind::Plain).map(|(_, value)| value.len());
        let bytes = self.patterns.bytes + lengths.sum::<usize>();
        Patterns { bytes, ..self.patterns }.check()
    }
}

/// A statement whose parameters are fixed or values of the request.
pub struct Template {
    text: Arc<str>,
    params: Vec<TemplateParam>,
}

enum TemplateParam {
    Fixed(Param),
    /// The index of the value, and its kind.
    Value(usize, ValueKind),
}

impl Template {
    fn new(sql: Sql) -> Self {
        Self { text: sql.text.into(), params: sql.params.into_iter().map(TemplateParam::Fixed).collect() }
    }

    /// Replaces all parameters that are this placeholder. Returns whether there is one.
    fn replace(&mut self, placeholder: &str, index: usize, kind: ValueKind) -> bool {
        let mut found = false;
        for part in &mut self.params {
            if matches!(part, TemplateParam::Fixed(Param::Text(text)) if text == placeholder) {
                *part = TemplateParam::Value(index, kind);
                found = true;
            }
        }
        found
    }

    /// Fills in the values of a request.
    pub fn bind(&self, values: &[(ValueKind, String)]) -> Statement {
        let params = self.params.iter().map(|part| match part {
            TemplateParam::Fixed(param) => param.clone(),
            TemplateParam::Value(index, kind) => {
                let value = values.get(*index).map(|(_, value)| value.as_str()).unwrap_or_default();
                Param::Text(if *kind == ValueKind::Wildcards {
                    value.replace('*', "%")
                } else {
                    value.to_owned()
                })
            }
        });
        Statement { text: Arc::clone(&self.text), params: params.collect() }
    }
}
