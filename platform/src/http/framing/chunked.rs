//! Finds the end of a chunked body. Accepts less than hyper does; anything else is unclear.

use super::State;

/// hyper's limits for extensions and trailers are lower.
const MAX_LINE_BYTES: usize = 16 * 1024;
const MAX_SIZE_DIGITS: usize = 15;

/// The next part of a chunked body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Chunked {
    #[default]
    Size,
    /// The number of bytes left in the chunk, at least one.
    Data(u64),
    DataEnd,
    Trailer,
}

impl Chunked {
    /// How many bytes are done, and what follows them. `None` when a line is incomplete.
    pub(super) fn advance(self, input: &[u8]) -> Option<(usize, State)> {
        if let Self::Data(left) = self {
            let (length, left) = super::part(left, input);
            return Some((length, State::Chunked(if left == 0 { Self::DataEnd } else { Self::Data(left) })));
        }
        match memchr::memchr(b'\n', input) {
            Some(end) if end <= MAX_LINE_BYTES => {
                let next = input[..end].strip_suffix(b"\r").and_then(|line| self.after(line));
                Some((end + 1, next.unwrap_or(State::Opaque)))
            }
            None if input.len() <= MAX_LINE_BYTES => None,
            _ => Some((0, State::Opaque)),
        }
    }

    /// `None` when the line is unclear.
    fn after(self, line: &[u8]) -> Option<State> {
        let next = match self {
            _ if line.contains(&b'\r') => return None,
            Self::Size => match size(line)? {
                0 => Self::Trailer,
                size => Self::Data(size),
            },
            Self::Trailer if line.is_empty() => return Some(State::Head),
            Self::Trailer => Self::Trailer,
            Self::DataEnd if line.is_empty() => Self::Size,
            Self::DataEnd | Self::Data(_) => return None,
        };
        Some(State::Chunked(next))
    }
}

/// The size of a chunk, which an extension may follow.
fn size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next()?;
    let is_size = digits.len() <= MAX_SIZE_DIGITS && digits.iter().all(u8::is_ascii_hexdigit);
    u64::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_size)?, 16).ok()
}
