//! Reads result rows.

use bytes::Bytes;
use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Error as PgError, Row};

use super::Outcome;

pub fn outcome(rows: &[Row]) -> Result<Outcome, PgError> {
    let Some(row) = rows.first() else { return Ok(Outcome::default()) };
    Ok(Outcome {
        total: row.try_get("total_result_set")?,
        rows: row.try_get("page_total")?,
        location: match row.columns().iter().position(|column| column.name() == "header") {
            Some(place) => row.try_get::<_, Option<Vec<String>>>(place)?.unwrap_or_default(),
            None => Vec::new(),
        },
        body: row
            .try_get::<_, Option<Raw<'_>>>("body")?
            .map(|raw| Bytes::copy_from_slice(raw.0))
            .unwrap_or_default(),
        headers: row.try_get("response_headers")?,
        status: row.try_get("response_status")?,
        inserted: row.try_get("response_inserted")?,
        planned_total: None,
    })
}

pub fn explanation(rows: &[Row]) -> Result<Outcome, PgError> {
    let mut body = Vec::new();
    for row in rows {
        body.extend_from_slice(row.try_get::<_, Raw<'_>>(0)?.0);
        body.push(b'\n');
    }
    Ok(Outcome { body: body.into(), ..Outcome::default() })
}

/// `Plan Rows` of the top plan node.
pub fn planned_rows(rows: &[Row]) -> Option<i64> {
    let raw: Raw<'_> = rows.first()?.try_get(0).ok()?;
    let plan: serde_json::Value = serde_json::from_slice(raw.0).ok()?;
    plan.pointer("/0/Plan/Plan Rows")?.as_i64()
}

/// The raw bytes of any type, as PostgreSQL sends them. For a media type domain over `jsonb` they start
/// with a version byte, as in PostgREST.
struct Raw<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(raw))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
