//! The printed table and the JSON file.

use std::fmt;

use serde::Serialize;
use tokio_postgres::Client;

use super::Case;
use super::figures::{Figure, MOST_RATIO};
use crate::machine;
use crate::reader::{Timing, Who};
use crate::statistics::{largest, median, percentile};

#[derive(Serialize)]
pub struct Raw<'a> {
    pub about: String,
    pub cases: &'a [Case],
}

/// Describes the database and the machine.
///
/// # Errors
/// When a query fails.
pub async fn about(client: &Client, repetitions: usize) -> anyhow::Result<String> {
    const ASK: &str = "select current_setting('server_version'), current_setting('shared_buffers'),
        (select count(*) from app.influencers), pg_size_pretty(pg_total_relation_size('app.influencers'))";
    let row = client.query_one(ASK, &[]).await?;
    let (version, buffers, rows, size): (String, String, i64, String) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
    Ok(format!(
        "PostgreSQL {version}, shared_buffers {buffers}; {rows} influencers, {size} with indexes\n\
         {} cores, load average {} before\n\
         milliseconds of planning and execution by the server's own clock, warm, median of {repetitions}",
        machine::cores(),
        machine::load(),
    ))
}

pub fn footer() -> String {
    format!("load average {} after", machine::load())
}

pub const HEADER: &str = "\
figure                              |  limit |          as a visitor         | not queued for a core | owner |  superuser's
                                    |        |     p50      p95      max     |     p50      p95      | ratio |     p50";

pub struct Row<'a> {
    figure: &'a Figure,
    visitor: Vec<f64>,
    unqueued: Vec<f64>,
    owner: Vec<f64>,
    superuser: Vec<f64>,
}

impl<'a> Row<'a> {
    pub fn of(figure: &'a Figure, cases: &[Case]) -> Self {
        let of = |who| cases.iter().filter_map(|case| case.median(who)).collect();
        let unqueued = cases.iter().filter_map(|case| case.median_of(Who::Visitor, Timing::without_queue));
        Self {
            figure,
            visitor: of(Who::Visitor),
            unqueued: unqueued.collect(),
            owner: of(Who::Owner),
            superuser: of(Who::Superuser),
        }
    }

    pub fn is_within_limits(&self) -> bool {
        let limit = self.figure.limit;
        let is_quick = limit.is_none_or(|limit| percentile(&self.visitor, limit.share) <= limit.milliseconds);
        is_quick && self.ratio().is_none_or(|ratio| ratio <= MOST_RATIO)
    }

    /// Ratio of a visitor's median to the owner's.
    fn ratio(&self) -> Option<f64> {
        (!self.owner.is_empty()).then(|| median(&self.visitor) / median(&self.owner))
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = match self.figure.limit {
            Some(limit) if limit.share > 0.5 => format!("p95 {:.0}", limit.milliseconds),
            Some(limit) => format!("p50 {:.0}", limit.milliseconds),
            None => String::new(),
        };
        let ratio = self.ratio().map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
        write!(
            f,
            "{:<35} | {limit:<6} | {:>7.2} {:>8.2} {:>8.1}     | {:>7.2} {:>8.2}      | {ratio:>5} | ",
            self.figure.name,
            median(&self.visitor),
            percentile(&self.visitor, 0.95),
            largest(&self.visitor),
            median(&self.unqueued),
            percentile(&self.unqueued, 0.95),
        )?;
        match self.superuser.as_slice() {
            [] => write!(f, "{:>7}", "")?,
            values => write!(f, "{:>7.2}", median(values))?,
        }
        f.write_str(if self.is_within_limits() { "" } else { "  BROKEN" })
    }
}
