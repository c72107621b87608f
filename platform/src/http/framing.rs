//! Tracks where HTTP/1.1 requests begin and end on a connection, to percent-encode `<`, `>` and `"` in
//! request targets. Clients such as curl send them raw (`?select=data->>name`), and hyper rejects them.
//!
//! Only the request line of a complete head is changed, and only if the head starts where the previous
//! message ended. Both facts derive from the framing of the requests, never from the server's output. The
//! head is parsed with hyper's own parser, in the form hyper will see. Once a boundary is unclear, nothing
//! more is changed on the connection. A head without an unambiguous body length is not forwarded.

mod chunked;
mod head;

use chunked::Chunked;
use head::Next;

/// A longer head is forwarded unchanged, for hyper to reject.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// No request method contains this byte, so hyper responds with 400 and closes the connection.
const REJECTION: u8 = 0;

#[derive(Default)]
pub struct Framing {
    state: State,
    /// The beginning of an incomplete head.
    held: Vec<u8>,
    /// The number of bytes in `held` already searched for the end of the head.
    searched: usize,
}

#[derive(Default)]
enum State {
    /// The next byte belongs to a head.
    #[default]
    Head,
    /// The number of bytes left in the body.
    Body(u64),
    Chunked(Chunked),
    /// The boundaries are unknown: everything passes unchanged.
    Opaque,
    /// A head was rejected: nothing passes.
    Rejected,
}

impl Framing {
    /// Returns how many of the first bytes pass unchanged. Give the rest, if any, to [`Self::push`].
    pub fn pass(&mut self, input: &[u8]) -> usize {
        let mut passed = 0;
        while passed < input.len() {
            match self.pass_part(&input[passed..]) {
                0 => break,
                part => passed += part,
            }
        }
        passed
    }

    /// A head, or the part of a body that has arrived.
    fn pass_part(&mut self, input: &[u8]) -> usize {
        match &mut self.state {
            State::Head if self.held.is_empty() => self.pass_unchanged_head(input),
            State::Head | State::Rejected => 0,
            State::Opaque => input.len(),
            State::Body(left) => {
                let passed = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= passed as u64;
                if *left == 0 {
                    self.state = State::Head;
                }
                passed
            }
            State::Chunked(chunked) => match chunked.advance(input) {
                chunked::Progress::Unfinished => input.len(),
                chunked::Progress::Ended(passed) => {
                    self.state = State::Head;
                    passed
                }
                chunked::Progress::Unclear => {
                    self.state = State::Opaque;
                    input.len()
                }
            },
        }
    }

    /// Most heads arrive in one piece and need no encoding.
    fn pass_unchanged_head(&mut self, input: &[u8]) -> usize {
        let Some(length) = head::length(input, 0).filter(|length| *length <= MAX_HEAD_BYTES) else {
            return 0;
        };
        let head = &input[..length];
        if head::encoded(head).is_some() {
            return 0;
        }
        match head::next(head) {
            Next::Rejected => 0,
            next => {
                self.state = State::after(next);
                length
            }
        }
    }

    /// Appends to `output` what the server may read of these bytes and of those held back.
    pub fn push(&mut self, input: &[u8], output: &mut Vec<u8>) {
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(input);
        let mut at = 0;
        while at < held.len() && !self.is_rejected() {
            let rest = &held[at..];
            if !matches!(self.state, State::Head) {
                let passed = self.pass(rest);
                output.extend_from_slice(&rest[..passed]);
                at += passed;
            } else if let Some(length) =
                head::length(rest, self.searched).filter(|length| *length <= MAX_HEAD_BYTES)
            {
                self.searched = 0;
                self.state = pass_head(&rest[..length], output);
                at += length;
            } else if rest.len() > MAX_HEAD_BYTES {
                self.state = State::Opaque;
            } else {
                self.searched = rest.len();
                break;
            }
        }
        if !self.is_rejected() {
            held.drain(..at);
            // Idle connections keep no buffer.
            self.held = if held.is_empty() { Vec::new() } else { held };
        }
    }

    /// Returns the bytes held back when the client has sent its last byte.
    pub fn finish(&mut self) -> Vec<u8> {
        self.state = State::Opaque;
        std::mem::take(&mut self.held)
    }

    /// Whether everything received so far belongs to complete requests.
    pub fn is_between_requests(&self) -> bool {
        matches!(self.state, State::Head) && self.held.is_empty()
    }

    /// Whether all further bytes are dropped.
    pub fn is_rejected(&self) -> bool {
        matches!(self.state, State::Rejected)
    }
}

fn pass_head(head: &[u8], output: &mut Vec<u8>) -> State {
    let encoded = head::encoded(head);
    // Parsed in the form that is forwarded.
    let next = head::next(encoded.as_deref().unwrap_or(head));
    let passed = encoded.as_deref().filter(|_| next != Next::Unknown).unwrap_or(head);
    if next == Next::Rejected {
        output.push(REJECTION);
    } else {
        output.extend_from_slice(passed);
    }
    State::after(next)
}

impl State {
    fn after(head: Next) -> Self {
        match head {
            Next::Head => Self::Head,
            Next::Body(length) => Self::Body(length),
            Next::Chunked => Self::Chunked(Chunked::default()),
            Next::Unknown => Self::Opaque,
            Next::Rejected => Self::Rejected,
        }
    }
}

#[cfg(test)]
mod tests;
