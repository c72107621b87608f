//! COPY and INSERT statements.

use super::{Action, Destination, Form, Rows, refuse};
use crate::import::schemas::Origin;
use crate::import::tokens::{Name, Reader};

fn destination(table: &Name, origin: Origin) -> Destination {
    match origin.staged(table) {
        Some(staged) => Destination::Staged(staged),
        None if origin.is_own(table) => Destination::Own,
        None => Destination::Nowhere,
    }
}

/// Accepts only rows that follow in the dump, no files or programs of the server.
pub fn copy(reader: &mut Reader<'_>, origin: Origin) -> Action {
    let Some(table) = reader.name() else { return refuse("COPY without a table is not run") };
    let columns = reader.names();
    let rest = reader.at;
    if !reader.words("from stdin") || reader.peek().is_some() {
        return refuse("only COPY FROM stdin is run, with rows in the dump");
    }
    let to = destination(&table, origin);
    Action::Rows(Rows { table, form: Form::Copy, columns, rest, to })
}

pub fn insert(reader: &mut Reader<'_>, origin: Origin) -> Action {
    let into = reader.words("into");
    let Some(table) = reader.name().filter(|_| into) else {
        return refuse("INSERT without a table is not run");
    };
    let columns = reader.names();
    let rest = reader.at;
    let _ = reader.words("overriding system value") || reader.words("overriding user value");
    let rows = match (reader.words("default values"), reader.words("values")) {
        (true, _) => 1,
        (_, true) => tuples(reader),
        _ => return refuse("only INSERT with VALUES is run"),
    };
    let to = destination(&table, origin);
    Action::Rows(Rows { table, form: Form::Insert(rows), columns, rest, to })
}

fn tuples(reader: &mut Reader<'_>) -> u64 {
    let (mut depth, mut count) = (0_u32, 0);
    while let Some(token) = reader.token() {
        if token.is("(") {
            count += u64::from(depth == 0);
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.is("on") {
            // `on conflict do nothing`
            break;
        }
    }
    count
}
