//! `GET /bucket`

use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};

use super::get;
use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::buckets::{self, Page, SortColumn};

/// More than any client displays.
const MAX_LIMIT: i64 = 10_000;

#[derive(Deserialize)]
pub struct Input {
    limit: Option<i64>,
    offset: Option<i64>,
    #[serde(rename = "sortColumn")]
    sort_column: Option<String>,
    #[serde(rename = "sortOrder")]
    sort_order: Option<String>,
    search: Option<String>,
}

#[derive(Serialize)]
pub struct Output {
    #[serde(flatten)]
    bucket: get::Output,
    r#type: &'static str,
}

pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    input: QueryResult,
) -> Result<Json<Vec<Output>>> {
    let Query(input) =
        input.map_err(|fault| ApiError::Schema(format!("querystring {}", fault.body_text())))?;
    let page = page(&input)?;
    let mut transaction = caller.begin(&state, "storage.bucket.list").await?;
    let buckets = hide_denied(buckets::list(&mut transaction, &page).await)?;
    Ok(Json(buckets.into_iter().map(|bucket| Output { bucket: bucket.into(), r#type: "STANDARD" }).collect()))
}

type QueryResult = std::result::Result<Query<Input>, axum::extract::rejection::QueryRejection>;

fn page(input: &Input) -> Result<Page<'_>> {
    let fault = |text: &str| ApiError::Schema(format!("querystring/{text}"));
    if input.limit.is_some_and(|limit| limit < 1) {
        return Err(fault("limit must be >= 1"));
    }
    if input.offset.is_some_and(|offset| offset < 0) {
        return Err(fault("offset must be >= 0"));
    }
    let sort = match input.sort_column.as_deref() {
        None | Some("id") => SortColumn::Id,
        Some("name") => SortColumn::Name,
        Some("created_at") => SortColumn::CreatedAt,
        Some("updated_at") => SortColumn::UpdatedAt,
        Some(_) => return Err(fault("sortColumn must be equal to one of the allowed values")),
    };
    let descending = match input.sort_order.as_deref() {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(_) => return Err(fault("sortOrder must be equal to one of the allowed values")),
    };
    Ok(Page {
        search: input.search.as_deref(),
        sort,
        descending,
        limit: Some(input.limit.unwrap_or(MAX_LIMIT).min(MAX_LIMIT)),
        offset: input.offset.unwrap_or(0),
    })
}
