//! `GET /admin/users`

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};

use crate::caller::Operator;
use crate::error::{AuthError, Result};
use crate::new_account::AUTHENTICATED;
use crate::query::QueryParams;
use crate::service::Shared;
use crate::shape::user::User;
use crate::store::users::Order;
use crate::store::{identities, users};

const DEFAULT_PER_PAGE: u32 = 50;
const MOST_PER_PAGE: u32 = 1000;

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    page: Option<String>,
    #[serde(default)]
    per_page: Option<String>,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    sort: String,
}

#[derive(Serialize)]
pub struct Page {
    users: Vec<User>,
    aud: &'static str,
}

pub async fn get(
    State(service): State<Shared>,
    _: Operator,
    QueryParams(asked): QueryParams<Request>,
) -> Result<(HeaderMap, Json<Page>)> {
    let page = number(asked.page.as_deref(), 1)?;
    let per_page = number(asked.per_page.as_deref(), DEFAULT_PER_PAGE)?.min(MOST_PER_PAGE);
    let order = order(&asked.sort)?;
    let (limit, offset) = (i64::from(per_page), i64::from(page - 1) * i64::from(per_page));

    // PostgreSQL's text holds no NUL, so nothing can match.
    if asked.filter.contains('\0') {
        return Ok((paging(&asked, page, per_page, 0), Json(Page { users: Vec::new(), aud: AUTHENTICATED })));
    }
    let mut connection = service.pool.acquire().await?;
    let total = users::count(&mut connection, &asked.filter).await?;
    let rows = users::page(&mut connection, &asked.filter, order, limit, offset).await?;
    let ids: Vec<_> = rows.iter().map(|user| user.id).collect();
    let mut by_user: HashMap<_, Vec<_>> = HashMap::new();
    for identity in identities::of_users(&mut connection, &ids).await? {
        by_user.entry(identity.user_id).or_default().push(identity);
    }
    let users = rows.into_iter().map(|user| {
        let identities = by_user.remove(&user.id).unwrap_or_default();
        User::new(user, identities)
    });
    let users = users.collect();
    Ok((paging(&asked, page, per_page, total), Json(Page { users, aud: AUTHENTICATED })))
}

/// Missing, empty and zero mean the default.
fn number(text: Option<&str>, default: u32) -> Result<u32> {
    match text.unwrap_or_default() {
        "" => Ok(default),
        text => text
            .parse()
            .map(|number| if number == 0 { default } else { number })
            .map_err(|error| AuthError::validation(format!("Bad Pagination Parameters: `{text}`: {error}"))),
    }
}

/// A column, optionally followed by a direction. Defaults to newest first.
fn order(sort: &str) -> Result<Order> {
    let bad = |what: &str| Err(AuthError::validation(format!("Bad Sort Parameters: {what}")));
    let words: Vec<_> = sort.split_whitespace().map(str::to_ascii_lowercase).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["created_at"] | ["created_at", "desc"] => Ok(Order::NewestFirst),
        ["created_at", "asc"] => Ok(Order::OldestFirst),
        ["created_at", ..] => bad("only asc and desc are directions"),
        _ => bad("only created_at can be sorted by"),
    }
}

/// Links to the same query. `page` must come first in each: older clients extract it by its position.
fn paging(asked: &Request, page: u32, per_page: u32, total: i64) -> HeaderMap {
    let last = u32::try_from(total.unsigned_abs().div_ceil(per_page.into())).unwrap_or(u32::MAX);
    let given = [
        ("per_page", asked.per_page.as_deref().unwrap_or_default()),
        ("filter", &asked.filter),
        ("sort", &asked.sort),
    ];
    let given = given.into_iter().filter(|(_, text)| !text.is_empty());
    let given = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    let given = if given.is_empty() { given } else { format!("&{given}") };
    let link = |page: u32, relation: &str| format!("</admin/users?page={page}{given}>; rel=\"{relation}\"");
    let mut links = Vec::new();
    if page < last {
        links.push(link(page + 1, "next"));
    }
    links.push(link(last, "last"));
    let mut headers = HeaderMap::new();
    headers.insert("x-total-count", HeaderValue::from(total));
    if let Ok(value) = HeaderValue::from_str(&links.join(", ")) {
        headers.insert(header::LINK, value);
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(asked: &Request, page: u32, per_page: u32, total: i64) -> String {
        paging(asked, page, per_page, total)[header::LINK].to_str().unwrap().to_owned()
    }

    fn asked(per_page: Option<&str>, filter: &str, sort: &str) -> Request {
        Request {
            page: None,
            per_page: per_page.map(str::to_owned),
            filter: filter.into(),
            sort: sort.into(),
        }
    }

    #[test]
    fn links_point_to_the_next_and_the_last_page() {
        let next_and_last = "</admin/users?page=2&per_page=10>; rel=\"next\", </admin/users?page=3&per_page=10>; rel=\"last\"";
        let ten = asked(Some("10"), "", "");
        assert_eq!(link(&ten, 1, 10, 21), next_and_last);
        assert_eq!(link(&ten, 3, 10, 21), "</admin/users?page=3&per_page=10>; rel=\"last\"");
        assert_eq!(link(&asked(None, "", ""), 1, 50, 0), "</admin/users?page=0>; rel=\"last\"");
        let filtered = asked(None, "a&b", "created_at asc");
        let last = "</admin/users?page=1&filter=a%26b&sort=created_at+asc>; rel=\"last\"";
        assert_eq!(link(&filtered, 1, 50, 3), last);
    }

    #[test]
    fn accounts_can_only_be_sorted_by_creation_time() {
        for newest_first in ["", "created_at", "created_at desc", "CREATED_AT DESC"] {
            assert_eq!(order(newest_first).unwrap(), Order::NewestFirst, "{newest_first}");
        }
        assert_eq!(order("Created_At  Asc").unwrap(), Order::OldestFirst);
        for bad in ["email asc", "created_at up", "created_at asc asc", "created_at,email"] {
            assert!(order(bad).unwrap_err().message.starts_with("Bad Sort Parameters: "), "{bad}");
        }
    }

    #[test]
    fn pages_are_whole_numbers() {
        assert_eq!(number(None, 50).unwrap(), 50);
        assert_eq!(number(Some("0"), 1).unwrap(), 1);
        for text in ["-1", "1.5", "x", "99999999999"] {
            let refusal = number(Some(text), 1).unwrap_err();
            assert!(refusal.message.starts_with("Bad Pagination Parameters: "), "{text}");
        }
    }
}
