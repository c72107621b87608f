//! The expected outcome of an act on rows, compared with the gateway's response.

use serde_json::Value;

use crate::call::{Answer, Call};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Number of rows read or changed.
    Rows(u64),
    /// Number of rows returned, and the total number.
    Part(u64, u64),
    /// A SQLSTATE or a PostgREST error code.
    Refusal(String),
    Status(u16),
}

impl Wanted {
    /// Parses `3`, `1 of 3`, `42501` or `PGRST204`. For `sql/http` it uses the second half, which may be a
    /// bare status. Returns `None` if nothing is expected over HTTP.
    pub fn parse(cell: &str) -> Result<Option<Self>, String> {
        let (text, apart) = cell.split_once('/').map_or((cell, false), |(_, http)| (http, true));
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{cell}` is no outcome"));
        let is_code = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Ok(Some(match text {
            "" => return Ok(None),
            code if is_code(code) || code.starts_with("PGRST") => Self::Refusal(code.to_owned()),
            status if apart && status.len() == 3 => {
                Self::Status(status.parse().map_err(|_| format!("`{cell}` is no outcome"))?)
            }
            text => match text.split_once(" of ") {
                Some((part, all)) => Self::Part(number(part)?, number(all)?),
                None => Self::Rows(number(text)?),
            },
        }))
    }

    /// Whether the act must not change anything.
    pub fn leaves_all(&self) -> bool {
        !matches!(self, Self::Rows(1..) | Self::Part(1.., _) | Self::Status(200..300))
    }

    /// Returns the mismatch between this response and the expectation, if any.
    pub fn judge(&self, call: &Call, person: &str, answer: &Answer) -> Result<(), String> {
        let status = answer.status;
        match self {
            Self::Rows(wanted) => {
                let rows = rows(call, answer)?;
                if rows == Some(*wanted) { Ok(()) } else { Err(unexpected(rows, answer)) }
            }
            Self::Part(part, all) => {
                let rows = rows(call, answer)?;
                let got = (rows, answer.total());
                let partial = if part < all { 206 } else { 200 };
                if got == (Some(*part), Some(*all)) && status == partial {
                    return Ok(());
                }
                Err(format!("{} of {:?}", unexpected(rows, answer), got.1))
            }
            Self::Refusal(code) => {
                let by_status = refused_with(code).unwrap_or(if person == "visitor" { 401 } else { 403 });
                if status != by_status {
                    return Err(format!("status {}", answer.summary()));
                }
                is_error(call, answer, Some(code))
            }
            Self::Status(wanted) if status != *wanted => Err(format!("status {}", answer.summary())),
            Self::Status(400..) => is_error(call, answer, None),
            Self::Status(_) => Ok(()),
        }
    }
}

fn unexpected(rows: Option<u64>, answer: &Answer) -> String {
    rows.map_or_else(|| answer.summary(), |rows| format!("{rows} rows"))
}

/// Number of rows read or changed; `None` if the request was refused.
fn rows(call: &Call, answer: &Answer) -> Result<Option<u64>, String> {
    if !(200..300).contains(&answer.status) {
        return Ok(None);
    }
    // With `return=minimal` the gateway only returns a count.
    if answer.body.is_empty() {
        let total =
            answer.total().ok_or_else(|| format!("no count in {:?}", answer.header("content-range")))?;
        return Ok(Some(total));
    }
    let rows = match answer.json() {
        Value::Array(rows) => rows.len() as u64,
        Value::Object(_) => 1,
        _ => return Err(format!("no rows: {}", answer.summary())),
    };
    let range = answer.header("content-range").unwrap_or_default().split('/').next().unwrap_or_default();
    let first_to_last = if rows == 0 { "*".to_owned() } else { format!("0-{}", rows - 1) };
    if call.reads() && range != first_to_last {
        return Err(format!("{rows} rows called {range}"));
    }
    Ok(Some(rows))
}

/// The status for an error code; `None` if it depends on the caller.
fn refused_with(code: &str) -> Option<u16> {
    Some(match code {
        "42501" => return None,
        "23503" | "23505" => 409,
        "PGRST106" | "PGRST116" => 406,
        "PGRST301" | "PGRST303" => 401,
        "PGRST202" | "PGRST205" => 404,
        _ => 400,
    })
}

/// Checks for PostgREST's error format, and the code if one is expected.
fn is_error(call: &Call, answer: &Answer, code: Option<&str>) -> Result<(), String> {
    let body = answer.json();
    if call.method == reqwest::Method::HEAD {
        let named = answer.header("proxy-status").and_then(|status| status.split("error=").nth(1));
        return if code.is_none() || named == code { Ok(()) } else { Err(format!("error {named:?}")) };
    }
    let members: Vec<&str> = body.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let whole = ["code", "details", "hint", "message"].iter().all(|name| members.contains(name));
    if !whole || members.len() != 4 || !body["message"].is_string() {
        return Err(format!("no error body: {}", answer.summary()));
    }
    if code.is_some_and(|code| body["code"] != code) {
        return Err(format!("code {}", answer.summary()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, range: &'static str, body: &str) -> Answer {
        let mut headers = reqwest::header::HeaderMap::new();
        headers.insert("content-range", range.parse().unwrap());
        Answer { status, headers, body: body.as_bytes().to_vec() }
    }

    fn judged(cell: &str, person: &str, answer: &Answer) -> bool {
        let call = Call::parse("GET a", "").unwrap();
        Wanted::parse(cell).unwrap().unwrap().judge(&call, person, answer).is_ok()
    }

    #[test]
    fn cells_are_parsed() {
        let wanted = |cell: &str| Wanted::parse(cell).unwrap();
        assert_eq!(wanted("0"), Some(Wanted::Rows(0)));
        assert_eq!(wanted("42501"), Some(Wanted::Refusal("42501".to_owned())));
        assert_eq!(wanted("42501/400"), Some(Wanted::Status(400)));
        assert_eq!(wanted("3/2"), Some(Wanted::Rows(2)));
        assert_eq!(wanted("1/PGRST204"), Some(Wanted::Refusal("PGRST204".to_owned())));
        assert_eq!(wanted("1 of 3"), Some(Wanted::Part(1, 3)));
        assert_eq!(wanted("42501/"), None);
        assert!(Wanted::parse("allowed").is_err());
    }

    #[test]
    fn row_counts_and_error_codes_are_checked() {
        let two = answer(200, "0-1/*", "[{}, {}]");
        let refusal = r#"{"code": "42501", "message": "no", "details": null, "hint": null}"#;
        assert!(
            judged("2", "agency", &two) && !judged("1", "agency", &two) && !judged("42501", "agency", &two)
        );
        assert!(!judged("2", "agency", &answer(200, "0-0/*", "[{}, {}]")));
        assert!(judged("42501", "agency", &answer(403, "*/*", refusal)));
        assert!(!judged("42501", "visitor", &answer(403, "*/*", refusal)));
        assert!(!judged("42501", "agency", &answer(403, "*/*", r#"{"code": "42501"}"#)));
        assert!(!judged("23514", "agency", &answer(400, "*/*", refusal)));
        assert!(!judged("0", "agency", &answer(403, "*/*", refusal)));
        assert!(judged("1 of 3", "agency", &answer(206, "0-0/3", "[{}]")));
    }
}
