//! Reads result rows.

use std::io;
use std::ops::Range;

use bytes::Bytes;
use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::DataRowBody;
use postgres_protocol::types::{array_from_sql, int4_from_sql, int8_from_sql, text_from_sql};

use super::Outcome;
use crate::position::Position;
use crate::wire::error::WireError;

const SMALL_BODY: usize = 4 * 1024;

/// Reads the columns in the order in which `query::statement` selects them. Changes have one more column: the
/// location of the new row.
pub fn read(row: &DataRowBody) -> Result<Outcome, WireError> {
    let ranges: Vec<Option<Range<usize>>> = row.ranges().collect()?;
    let (location, rest) = match ranges.len() {
        6 => (None, 2),
        7 => (ranges[2].clone(), 3),
        _ => return Err(WireError::UnexpectedMessage),
    };
    let bytes = |range: &Option<Range<usize>>| range.clone().map(|range| &row.buffer()[range]);
    let number = |index: usize| bytes(&ranges[index]).map(int8_from_sql).transpose().map_err(malformed);
    let text = |index: usize| {
        let text = bytes(&ranges[index]).map(text_from_sql).transpose().map_err(malformed)?;
        Ok::<_, WireError>(text.map(str::to_owned))
    };
    Ok(Outcome {
        total: number(0)?,
        rows: number(1)?.unwrap_or_default(),
        location: bytes(&location).map(texts).transpose()?.unwrap_or_default(),
        body: ranges[rest].clone().map_or_else(Bytes::new, |range| body(row, range)),
        headers: text(rest + 1)?,
        status: text(rest + 2)?,
        inserted: bytes(&ranges[rest + 3]).map(int4_from_sql).transpose().map_err(malformed)?,
        planned_total: None,
        position_before: None,
        position: None,
    })
}

/// Reads the only column of `POSITION`.
pub fn position(row: &DataRowBody) -> Option<Position> {
    let range = row.ranges().next().ok()??.filter(|range| range.len() == 8)?;
    int8_from_sql(&row.buffer()[range]).ok()?.try_into().ok().map(Position)
}

/// Large bodies share the connection's buffer. Small ones are copied, so that the buffer can be reused.
fn body(row: &DataRowBody, range: Range<usize>) -> Bytes {
    if range.len() < SMALL_BODY {
        return Bytes::copy_from_slice(&row.buffer()[range]);
    }
    row.buffer_bytes().slice(range)
}

fn texts(array: &[u8]) -> Result<Vec<String>, WireError> {
    let array = array_from_sql(array).map_err(malformed)?;
    let texts =
        array.values().filter_map(|value| Ok(value.map(|text| String::from_utf8_lossy(text).into_owned())));
    texts.collect().map_err(malformed)
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn malformed(error: Box<dyn std::error::Error + Sync + Send>) -> WireError {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string()).into()
}

/// The lines of an `EXPLAIN`.
pub fn explanation(rows: &[DataRowBody]) -> io::Result<Outcome> {
    let mut body = Vec::new();
    for row in rows {
        body.extend_from_slice(first_column(row)?);
        body.push(b'\n');
    }
    Ok(Outcome { body: body.into(), ..Outcome::default() })
}

fn first_column(row: &DataRowBody) -> io::Result<&[u8]> {
    let range = row.ranges().next()?.flatten().unwrap_or(0..0);
    Ok(&row.buffer()[range])
}

/// The `Plan Rows` of the top plan node.
pub fn planned_rows(rows: &[DataRowBody]) -> Option<i64> {
    let plan: serde_json::Value = serde_json::from_slice(first_column(rows.first()?).ok()?).ok()?;
    plan.pointer("/0/Plan/Plan Rows")?.as_i64()
}
