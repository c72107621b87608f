//! A database's structure and privileges as text, to compare databases and to review changes (`schema.snapshot`).

use std::collections::BTreeMap;

use sqlx::{Connection, PgConnection};

/// Returns the lines of a snapshot in their order.
pub const SNAPSHOT: &str = include_str!("snapshot.sql");

/// Returns the structure of the database: a line per object, and indented ones for its parts.
///
/// # Errors
/// When the query fails.
pub async fn snapshot(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    // PostgreSQL qualifies the names that this path does not find.
    sqlx::raw_sql("set local search_path = pg_catalog, pg_temp").execute(&mut *transaction).await?;
    let lines: Vec<String> = sqlx::query_scalar(SNAPSHOT).fetch_all(&mut *transaction).await?;
    transaction.rollback().await?;
    Ok(lines.join("\n") + "\n")
}

/// The lines that only one of two snapshots has, below the object they belong to. Empty when the snapshots are equal.
#[must_use]
pub fn difference(before: &str, after: &str) -> String {
    let mut changes: BTreeMap<(&str, &str), i32> = BTreeMap::new();
    for (text, weight) in [(before, -1), (after, 1)] {
        let mut object = "";
        for line in text.lines() {
            if !line.starts_with(' ') {
                object = line;
            }
            // The first line of a table or view also has its options.
            let name = if object.starts_with("function ") { "functions" } else { two_words(object) };
            *changes.entry((name, line)).or_default() += weight;
        }
    }
    changes.retain(|_, weight| *weight != 0);
    let mut difference = String::new();
    let mut last = "";
    for ((object, line), weight) in changes {
        if object != last {
            difference += &format!("@@ {object}\n");
            last = object;
        }
        difference += &format!("{} {line}\n", if weight < 0 { '-' } else { '+' });
    }
    if difference.is_empty() && before != after {
        difference += "the order of columns differs\n";
    }
    difference
}

/// The first two words, such as `table app.gigs`.
fn two_words(line: &str) -> &str {
    let end = line.match_indices(' ').nth(1).map_or(line.len(), |(end, _)| end);
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_names_the_object_and_its_changed_lines() {
        let before = "table a.b owner c\n  id uuid\n  name text\nview a.v owner c\n  id uuid\n";
        let after = "table a.b owner c\n  id uuid not null\n  name text\nview a.v owner c\n  id uuid\n";

        assert_eq!(difference(before, after), "@@ table a.b\n-   id uuid\n+   id uuid not null\n");
        assert_eq!(difference(before, before), "");
    }

    #[test]
    fn the_order_of_columns_matters() {
        let before = "table a.b owner c\n  id uuid\n  name text\n";

        assert_eq!(
            difference(before, "table a.b owner c\n  name text\n  id uuid\n"),
            "the order of columns differs\n"
        );
    }
}
