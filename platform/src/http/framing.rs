//! Follows where HTTP/1.1 requests begin and end on a connection, to percent-encode `<`, `>` and `"` in request
//! targets. Clients such as curl send them raw (`?select=data->>name`), and the HTTP library refuses them.
//!
//! Bytes are only changed in the request line of a complete head that begins where the previous message ended.
//! Both facts come from the framing of the requests alone, never from what the server writes. The head is parsed
//! by the HTTP library's own parser, in the form that the library will see. Once a boundary is in doubt, nothing is
//! changed on that connection any more. A head whose body has no single length is not passed on at all.

mod chunked;
mod head;

use chunked::Chunked;
use head::Next;

/// A head that is longer is passed on unchanged, for the HTTP library to refuse.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// No request method contains this byte: the HTTP library answers 400 and closes the connection.
const REFUSAL: u8 = 0;

#[derive(Default)]
pub struct Framing {
    state: State,
    /// The beginning of a head whose end has not arrived.
    held: Vec<u8>,
    /// The end of the head is not in the first bytes of `held`, so they are not searched again.
    searched: usize,
}

#[derive(Default)]
enum State {
    /// The next byte belongs to a head.
    #[default]
    Head,
    /// This many bytes of a body are left.
    Body(u64),
    Chunked(Chunked),
    /// The boundaries are unknown: everything passes unchanged.
    Opaque,
    /// A head was refused: nothing passes.
    Refused,
}

impl Framing {
    /// How many of the first bytes pass unchanged. The rest, if any, belongs to [`Self::push`].
    pub fn pass(&mut self, input: &[u8]) -> usize {
        match &mut self.state {
            State::Head | State::Refused => 0,
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

    /// Appends to `output` what the server may read of these bytes and of those that were held back before.
    pub fn push(&mut self, input: &[u8], output: &mut Vec<u8>) {
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(input);
        let mut at = 0;
        while at < held.len() && !self.is_refused() {
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
        if !self.is_refused() {
            held.drain(..at);
            // Idle connections keep no buffer.
            self.held = if held.is_empty() { Vec::new() } else { held };
        }
    }

    /// What is held back when the client has sent its last byte.
    pub fn finish(&mut self) -> Vec<u8> {
        self.state = State::Opaque;
        std::mem::take(&mut self.held)
    }

    /// Everything received so far belongs to complete requests.
    pub fn is_between_requests(&self) -> bool {
        matches!(self.state, State::Head) && self.held.is_empty()
    }

    /// Nothing that follows will be passed on.
    pub fn is_refused(&self) -> bool {
        matches!(self.state, State::Refused)
    }
}

fn pass_head(head: &[u8], output: &mut Vec<u8>) -> State {
    let encoded = head::encoded(head);
    // Parsed in the form that is passed on.
    let next = head::next(encoded.as_deref().unwrap_or(head));
    let passed = encoded.as_deref().filter(|_| next != Next::Unknown).unwrap_or(head);
    let state = match next {
        Next::Head => State::Head,
        Next::Body(length) => State::Body(length),
        Next::Chunked => State::Chunked(Chunked::default()),
        Next::Unknown => State::Opaque,
        Next::Refused => {
            output.push(REFUSAL);
            return State::Refused;
        }
    };
    output.extend_from_slice(passed);
    state
}

#[cfg(test)]
mod tests;
