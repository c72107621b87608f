//! Resolves a request against the schema cache. Pure: no I/O.

pub mod aggregates;
pub mod call;
pub mod columns;
pub mod custom_plan;
pub mod embed;
mod hints;
pub mod mutate;
pub mod negotiate;
mod page;
pub mod payload;
pub mod read;
pub mod repetition;
mod schema_error;
pub mod time_zone;
pub mod types;

use std::collections::BTreeSet;

use crate::config::Config;
use crate::error_body::{ErrorBody, Rejection};
use crate::media::MediaType;
use crate::request::{Action, Request};
use crate::schema_cache::SchemaCache;
use crate::schema_cache::media_handlers::Handler;
use crate::schema_cache::routines::Routine;
use crate::schema_cache::tables::{QualifiedName, Table};
use call::CallPlan;
use mutate::MutatePlan;
use types::ReadPlan;

/// The plan of a request.
#[derive(Debug)]
pub enum Plan<'a> {
    Read {
        read: ReadPlan,
        handler: Handler,
        media: MediaType,
    },
    Mutate {
        read: ReadPlan,
        mutation: MutatePlan,
        handler: Handler,
        media: MediaType,
    },
    Call {
        read: ReadPlan,
        call: CallPlan,
        routine: &'a Routine,
        handler: Handler,
        media: MediaType,
    },
    Inspect,
    /// Returns the methods that the resource allows. Needs no query.
    Info {
        allow: String,
    },
}

impl Plan<'_> {
    pub fn media(&self) -> Option<&MediaType> {
        match self {
            Self::Read { media, .. } | Self::Mutate { media, .. } | Self::Call { media, .. } => Some(media),
            Self::Inspect | Self::Info { .. } => None,
        }
    }

    pub fn read(&self) -> Option<&ReadPlan> {
        match self {
            Self::Read { read, .. } | Self::Mutate { read, .. } | Self::Call { read, .. } => Some(read),
            Self::Inspect | Self::Info { .. } => None,
        }
    }
}

/// Plans a request.
///
/// # Errors
/// When a table, column or relation is missing, or when the request is not supported.
pub fn plan<'a>(request: &Request, config: &Config, cache: &'a SchemaCache) -> Result<Plan<'a>, Rejection> {
    let context = Context { request, config, cache };
    time_zone::check(&request.preferences, cache.server_version)?;
    match request.action {
        Action::Read => {
            let table = context.table()?;
            let read = read::plan(&context, &name_of(table), false)?;
            let (handler, media) = negotiate::content(&context, &name_of(table), &read)?;
            context.check_preferences()?;
            Ok(Plan::Read { read, handler, media })
        }
        Action::Create | Action::Update | Action::Upsert | Action::Delete => {
            let table = context.table()?;
            let read = read::plan(&context, &name_of(table), true)?;
            let mutation = mutate::plan(&context, table, &read)?;
            context.check_preferences()?;
            let (handler, media) = negotiate::content(&context, &name_of(table), &read)?;
            Ok(Plan::Mutate { read, mutation, handler, media })
        }
        Action::Call => call::plan(&context),
        Action::Inspect => {
            let produced = [MediaType::OpenApi, MediaType::Json, MediaType::Any];
            if request.accept.iter().any(|media| produced.contains(media)) {
                Ok(Plan::Inspect)
            } else {
                Err(negotiate::unacceptable(request))
            }
        }
        Action::Info => context.info(),
    }
}

pub struct Context<'r, 'c> {
    pub request: &'r Request,
    pub config: &'r Config,
    pub cache: &'c SchemaCache,
}

impl<'c> Context<'_, 'c> {
    fn table(&self) -> Result<&'c Table, Rejection> {
        let (schema, name) = (&self.request.schema, &self.request.resource);
        self.cache.table(schema, name).ok_or_else(|| schema_error::no_table(self.cache, schema, name))
    }

    fn check_preferences(&self) -> Result<(), Rejection> {
        let preferences = &self.request.preferences;
        if preferences.is_strict() && !preferences.invalid.is_empty() {
            let message = "Invalid preferences given with handling=strict";
            return Err(ErrorBody::bad_request("PGRST122", message)
                .details(format!("Invalid preferences: {}", preferences.invalid.join(", "))));
        }
        Ok(())
    }

    fn info(&self) -> Result<Plan<'c>, Rejection> {
        use crate::request::Target;
        let allow = match self.request.target {
            Target::Root => "OPTIONS,GET,HEAD".to_owned(),
            Target::Relation => allowed_methods(self.table()?),
            Target::Function => {
                let arguments: BTreeSet<String> =
                    self.request.query.arguments.iter().map(|(name, _)| name.clone()).collect();
                let routine = call::find(self, &arguments)?;
                if routine.is_volatile() {
                    "OPTIONS,POST".to_owned()
                } else {
                    "OPTIONS,GET,HEAD,POST".to_owned()
                }
            }
        };
        Ok(Plan::Info { allow })
    }
}

fn allowed_methods(table: &Table) -> String {
    let mut methods = vec!["OPTIONS,GET,HEAD"];
    if table.insertable {
        methods.push("POST");
    }
    if table.insertable && table.updatable && !table.primary_key.is_empty() {
        methods.push("PUT");
    }
    if table.updatable {
        methods.push("PATCH");
    }
    if table.deletable {
        methods.push("DELETE");
    }
    methods.join(",")
}

pub fn name_of(table: &Table) -> QualifiedName {
    QualifiedName::new(&table.schema, &table.name)
}
