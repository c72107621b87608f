//! Estimates the cost of a request from its plan.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use crate::plan::types::{FilterPlan, ReadPlan};
use crate::plan::{Plan, custom_plan, repetition};
use crate::request::Request;
use crate::request::filters::Operation;
use crate::schema_cache::SchemaCache;

/// PostgreSQL also reads the rows that an offset skips.
const LARGE_OFFSET: i64 = 1000;
/// Each embedded list can contain a whole table.
const MAX_LISTS: usize = 8;
/// More copies of a column can be larger than the table.
const MAX_COPIES: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Reads one row by its primary key.
    Cheap,
    Ordinary,
    /// May scan a whole table.
    Expensive,
}

impl Weight {
    pub const ALL: [Self; 3] = [Self::Cheap, Self::Ordinary, Self::Expensive];
    pub const COUNT: usize = Self::ALL.len();

    pub fn index(self) -> usize {
        self as usize
    }

    /// The expected run time of a statement that has not run yet.
    pub fn guess(self) -> Duration {
        Duration::from_millis(match self {
            Self::Cheap => 1,
            Self::Ordinary => 5,
            Self::Expensive => 50,
        })
    }

    fn from_plan(plan: &Plan<'_>, request: &Request, cache: &SchemaCache) -> Self {
        let Some(read) = plan.read() else { return Self::Ordinary };
        if any(read, &|node| node.filters.iter().any(scans))
            || changes_by_pattern(plan)
            || is_huge(read, cache)
        {
            return Self::Expensive;
        }
        match plan {
            Plan::Read { .. } if is_cheap(read, cache) => Self::Cheap,
            Plan::Read { .. } if request.preferences.counts_rows() => Self::Expensive,
            _ if any(read, &|node| node.range.first > LARGE_OFFSET) => Self::Expensive,
            _ => Self::Ordinary,
        }
    }
}

/// The weight that the plan suggests, and the key of the measured run time.
#[derive(Debug, Clone, Copy)]
pub struct Estimate {
    pub weight: Weight,
    pub shape: u64,
}

impl Estimate {
    /// Calls of a function share their run time, however the request selects from its result.
    pub fn new(plan: &Plan<'_>, request: &Request, cache: &SchemaCache, statement: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        match plan {
            Plan::Call { routine, .. } => (&routine.schema, &routine.name).hash(&mut hasher),
            _ => statement.hash(&mut hasher),
        }
        Self { weight: Weight::from_plan(plan, request, cache), shape: hasher.finish() }
    }
}

fn changes_by_pattern(plan: &Plan<'_>) -> bool {
    matches!(plan, Plan::Mutate { mutation, .. }
        if mutation.insert().is_none() && mutation.filters.iter().any(scans))
}

fn any(node: &ReadPlan, matches: &dyn Fn(&ReadPlan) -> bool) -> bool {
    matches(node) || node.children.iter().any(|child| any(child, matches))
}

/// Whether the result can be many times as large as the tables. PostgreSQL builds it in memory.
fn is_huge(read: &ReadPlan, cache: &SchemaCache) -> bool {
    repetition::repeated_lists(read) > 0
        || list_count(read) > MAX_LISTS
        || repetition::copies(read, cache) > MAX_COPIES
}

fn list_count(node: &ReadPlan) -> usize {
    let is_list = node.link.as_ref().is_some_and(|link| !link.relation.is_to_one());
    usize::from(is_list) + node.children.iter().map(list_count).sum::<usize>()
}

/// Reads one row, with embedded to-one resources only.
fn is_cheap(read: &ReadPlan, cache: &SchemaCache) -> bool {
    let to_one = |child: &ReadPlan| child.link.as_ref().is_some_and(|link| link.relation.is_to_one());
    custom_plan::reads_by_key(read, cache)
        && read.children.iter().all(|child| to_one(child) && child.children.is_empty())
}

/// Compares every row with a pattern, range or set, which an ordinary B-tree index does not support.
fn scans(filter: &FilterPlan) -> bool {
    match filter {
        FilterPlan::Column { condition, .. } => match &condition.operation {
            Operation::Quantified { symbol, .. } => matches!(*symbol, "like" | "ilike" | "~" | "~*"),
            Operation::Simple { symbol, .. } => *symbol != "<>",
            Operation::FullText { .. } => true,
            Operation::In(_) | Operation::Is(_) | Operation::IsDistinctFrom(_) => false,
        },
        FilterPlan::Group { members, .. } => members.iter().any(scans),
        FilterPlan::Embed { .. } | FilterPlan::Missing(_) => false,
    }
}
