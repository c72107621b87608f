//! W3C Trace Context: which trace and span a request belongs to.

use std::fmt;

use hyper::HeaderMap;
use hyper::header::HeaderName;

pub const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Ids are never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    pub trace: u128,
    pub span: u64,
    /// Whether the trace's spans are recorded.
    pub sampled: bool,
}

impl Context {
    /// The caller's context. A malformed header counts as missing, and so do several.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(&TRACEPARENT).iter();
        let value = values.next()?.to_str().ok()?;
        if values.next().is_some() { None } else { Self::parse(value) }
    }

    /// `00-<trace>-<span>-<flags>`. Later versions may have more parts.
    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [version, trace, span, flags, ..] = parts[..] else { return None };
        let is_known = version != "ff" && (version != "00" || parts.len() == 4);
        let has_lengths = [version, trace, span, flags].map(str::len) == [2, 32, 16, 2];
        let is_hex = |part: &&str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_known || !has_lengths || ![version, trace, span, flags].iter().all(is_hex) {
            return None;
        }
        let trace = u128::from_str_radix(trace, 16).ok().filter(|trace| *trace != 0)?;
        let span = u64::from_str_radix(span, 16).ok().filter(|span| *span != 0)?;
        let flags = u8::from_str_radix(flags, 16).ok()?;
        Some(Self { trace, span, sampled: flags & 1 == 1 })
    }
}

/// The context as the header's value.
impl fmt::Display for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "00-{:032x}-{:016x}-{:02x}", self.trace, self.span, u8::from(self.sampled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn the_header_is_read_and_written() {
        let context = Context::parse(HEADER).unwrap();
        assert_eq!((context.span, context.sampled), (0x00f0_67aa_0ba9_02b7, true));
        assert_eq!(context.to_string(), HEADER);
        assert!(!Context::parse(&HEADER.replace("-01", "-00")).unwrap().sampled);
        // A later version may append to it.
        assert!(Context::parse(&format!("01{}-more", &HEADER[2..])).is_some());
    }

    #[test]
    fn malformed_headers_count_as_missing() {
        for malformed in [
            "",
            "00",
            &HEADER[..54],
            &format!("{HEADER}-more"),
            &HEADER.to_uppercase(),
            &HEADER.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)),
            &HEADER.replace("00f067aa0ba902b7", &"0".repeat(16)),
            &format!("ff{}", &HEADER[2..]),
            &HEADER.replace("-01", "-+1"),
        ] {
            assert_eq!(Context::parse(malformed), None, "{malformed:?}");
        }
        let mut headers = HeaderMap::new();
        headers.append(TRACEPARENT, HEADER.parse().unwrap());
        assert!(Context::of(&headers).is_some());
        headers.append(TRACEPARENT, HEADER.parse().unwrap());
        assert_eq!(Context::of(&headers), None);
    }
}
