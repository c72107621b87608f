//! Finds the end of a chunked body. Accepts less than hyper does; anything else is unclear.

/// hyper's limits for extensions and trailers are lower.
const MAX_LINE_BYTES: usize = 16 * 1024;
const MAX_SIZE_DIGITS: usize = 15;

#[derive(Default)]
pub(super) struct Chunked {
    step: Step,
    /// The size of the current chunk.
    size: u64,
    digits: usize,
    /// Bytes of extensions and trailers in total.
    extra: usize,
}

#[derive(Default, Clone, Copy)]
enum Step {
    #[default]
    Size,
    Extension,
    SizeLineFeed,
    Data,
    DataReturn,
    DataLineFeed,
    /// At the start of a line after the last chunk.
    TrailerStart,
    Trailer,
    TrailerLineFeed,
    LastLineFeed,
}

pub(super) enum Progress {
    Unfinished,
    /// The body ends after this many bytes.
    Ended(usize),
    Unclear,
}

impl Chunked {
    pub(super) fn advance(&mut self, input: &[u8]) -> Progress {
        let mut at = 0;
        while at < input.len() {
            if let Step::Data = self.step {
                let length = usize::try_from(self.size).unwrap_or(usize::MAX).min(input.len() - at);
                self.size -= length as u64;
                at += length;
                if self.size == 0 {
                    self.step = Step::DataReturn;
                }
                continue;
            }
            let byte = input[at];
            at += 1;
            self.step = match (self.step, byte) {
                (Step::Size, digit) if digit.is_ascii_hexdigit() && self.digits < MAX_SIZE_DIGITS => {
                    let value = char::from(digit).to_digit(16).unwrap_or_default();
                    self.size = self.size * 16 + u64::from(value);
                    self.digits += 1;
                    Step::Size
                }
                (Step::Size, b';') if self.digits > 0 => Step::Extension,
                (Step::Size, b'\r') if self.digits > 0 => Step::SizeLineFeed,
                (Step::Extension, b'\r') => Step::SizeLineFeed,
                (Step::Extension, other) if other != b'\n' => Step::Extension,
                (Step::SizeLineFeed, b'\n') => {
                    self.digits = 0;
                    if self.size == 0 { Step::TrailerStart } else { Step::Data }
                }
                (Step::DataReturn, b'\r') => Step::DataLineFeed,
                (Step::DataLineFeed, b'\n') => Step::Size,
                (Step::TrailerStart, b'\r') => Step::LastLineFeed,
                (Step::Trailer, b'\r') => Step::TrailerLineFeed,
                (Step::TrailerStart | Step::Trailer, other) if other != b'\n' => Step::Trailer,
                (Step::TrailerLineFeed, b'\n') => Step::TrailerStart,
                (Step::LastLineFeed, b'\n') => return Progress::Ended(at),
                _ => return Progress::Unclear,
            };
            if let Step::Extension | Step::Trailer = self.step {
                self.extra += 1;
                if self.extra > MAX_LINE_BYTES {
                    return Progress::Unclear;
                }
            }
        }
        Progress::Unfinished
    }
}
