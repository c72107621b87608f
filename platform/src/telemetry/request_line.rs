//! Adds the request's id to each log line. The request's span has it, too, but the default filter leaves spans out.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{Format, Full, Json, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::http::request_id;

const FIELD: &str = "request_id";

/// A format, and how the id is added to one of its lines. Ids need no escaping.
pub struct RequestLine<F> {
    format: F,
    add: fn(&str, &str) -> String,
}

/// Formats an event as a line of text.
pub fn text(is_colored: bool) -> RequestLine<Format<Full>> {
    let add = |line: &str, id: &str| format!("{line} {FIELD}=\"{id}\"");
    RequestLine { format: Format::default().with_ansi(is_colored), add }
}

/// Formats an event as a JSON object.
pub fn json() -> RequestLine<Format<Json>> {
    let add = |line: &str, id: &str| format!("{{\"{FIELD}\":\"{id}\",{}", line.trim_start_matches('{'));
    RequestLine { format: Format::default().json().flatten_event(true), add }
}

impl<S, N, F> FormatEvent<S, N> for RequestLine<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let has_id = event.metadata().fields().field(FIELD).is_some();
        let Some(id) = request_id::current().filter(|_| !has_id) else {
            return self.format.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.format.format_event(context, Writer::new(&mut line), event)?;
        writeln!(writer, "{}", (self.add)(line.trim_end_matches('\n'), &id))
    }
}
