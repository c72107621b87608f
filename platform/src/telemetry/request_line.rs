//! Adds the request's id to each log line. The request's span has it, too, but the default filter leaves spans out.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{Format, Full, Json, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::http::request_id;

const FIELD: &str = "request_id";

/// The id, unless the event has it already.
fn missing_id(event: &Event<'_>) -> Option<std::sync::Arc<str>> {
    match event.metadata().fields().field(FIELD) {
        Some(_) => None,
        None => request_id::current(),
    }
}

/// Formats an event as a line of text.
#[derive(Default)]
pub struct Text(Format<Full>);

impl<S, N> FormatEvent<S, N> for Text
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(id) = missing_id(event) else { return self.0.format_event(context, writer, event) };
        let mut line = String::new();
        let format = self.0.clone().with_ansi(writer.has_ansi_escapes());
        format.format_event(context, Writer::new(&mut line), event)?;
        writeln!(writer, "{} {FIELD}=\"{id}\"", line.trim_end_matches('\n'))
    }
}

/// A JSON object on a line of its own.
pub struct JsonLine(Format<Json>);

impl Default for JsonLine {
    fn default() -> Self {
        Self(Format::default().json().flatten_event(true))
    }
}

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(id) = missing_id(event) else { return self.0.format_event(context, writer, event) };
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        // Ids need no escaping.
        write!(writer, "{{\"{FIELD}\":\"{id}\",{}", line.trim_start_matches('{'))
    }
}
