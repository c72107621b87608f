//! Content negotiation: picks the media type and its handler.

use axum::http::StatusCode;

use super::Context;
use super::types::ReadPlan;
use crate::error_body::{ErrorBody, Rejection};
use crate::media::MediaType;
use crate::request::preferences::Representation;
use crate::request::{Action, Request};
use crate::schema_cache::media_handlers::Handler;
use crate::schema_cache::tables::QualifiedName;

/// Returns the first accepted media type that is available.
pub fn content(
    context: &Context<'_, '_>,
    table: &QualifiedName,
    read: &ReadPlan,
) -> Result<(Handler, MediaType), Rejection> {
    let whole_rows =
        read.children.is_empty() && matches!(read.select.as_slice(), [only] if only.column.name == "*");
    let request = context.request;
    let (handler, media) = request
        .accept
        .iter()
        .find_map(|media| produced(context, table, media, whole_rows))
        .ok_or_else(|| unacceptable(request))?;
    let wants_body = match request.action {
        Action::Create | Action::Update | Action::Upsert | Action::Delete => {
            request.preferences.representation == Some(Representation::Full)
        }
        _ => !request.is_head(),
    };
    Ok((if wants_body { handler } else { Handler::None }, media))
}

pub fn unacceptable(request: &Request) -> Rejection {
    let types: Vec<String> = request.accept.iter().map(MediaType::name).collect();
    let message = format!("None of these media types are available: {}", types.join(", "));
    ErrorBody::new(StatusCode::NOT_ACCEPTABLE, "PGRST107", message)
}

fn produced(
    context: &Context<'_, '_>,
    table: &QualifiedName,
    media: &MediaType,
    whole_rows: bool,
) -> Option<(Handler, MediaType)> {
    match media {
        MediaType::Singular { strip_nulls } => {
            Some((Handler::SingularJson { strip_nulls: *strip_nulls }, media.clone()))
        }
        MediaType::StrippedArray => Some((Handler::JsonStrippedArray, media.clone())),
        MediaType::Plan(plan) => {
            if !context.config.database.plan_enabled {
                return None;
            }
            let (handler, _) = produced(context, table, &plan.of, whole_rows)?;
            Some((handler, media.clone()))
        }
        other => context.cache.handlers.find(table, other, whole_rows),
    }
}
