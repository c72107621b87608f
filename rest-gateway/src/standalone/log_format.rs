//! PostgREST's format of log lines: the time and the message.

use std::fmt;

use platform::clock::Clock;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::config::server::STATUS_LOG;

pub struct LogFormat;

impl<S, N> FormatEvent<S, N> for LogFormat
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
        write!(writer, "{}: ", Clock::system().now().format("%d/%b/%Y:%T %z"))?;
        let metadata = event.metadata();
        if metadata.target() == STATUS_LOG {
            // Other fields are for the log of a process that embeds the gateway.
            let mut message = Message(String::new());
            event.record(&mut message);
            writer.write_str(&message.0)?;
        } else {
            write!(writer, "{} {}: ", metadata.level(), metadata.target())?;
            context.format_fields(writer.by_ref(), event)?;
        }
        writeln!(writer)
    }
}

struct Message(String);

impl tracing::field::Visit for Message {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
