//! Tracks where HTTP/1.1 requests begin and end on a connection, to percent-encode `<`, `>` and `"` in
//! request targets. Clients such as curl send them raw (`?select=data->>name`), and hyper rejects them.
//!
//! Only the request line of a complete head is changed, and only if the head starts where the previous
//! message ended. Both facts derive from the framing of the requests, never from the server's output. The
//! head is parsed with hyper's own parser, in the form hyper will see. Once a boundary is unclear, nothing
//! more is changed on the connection: a chunked body ends it. A head without an unambiguous body length is not forwarded.

mod head;

/// A longer head is forwarded unchanged, for hyper to reject.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// No request method contains this byte, so hyper responds with 400 and closes the connection.
const REJECTION: u8 = 0;

#[derive(Default)]
pub struct Framing {
    state: State,
    /// The beginning of an incomplete head.
    held: Vec<u8>,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Head,
    /// The number of bytes left in the body, at least one. A chunked body is the last on its connection.
    Body(u64),
    /// The boundaries are unknown: everything passes unchanged.
    Opaque,
    /// Two parsers could disagree about where the last request ends: nothing passes.
    Rejected,
}

impl Framing {
    /// Whether all of this is part of a body, which needs no [`Self::push`].
    pub fn skip_body(&mut self, input: &[u8]) -> bool {
        match &mut self.state {
            State::Body(left) if *left > input.len() as u64 => {
                *left -= input.len() as u64;
                true
            }
            _ => false,
        }
    }

    /// Appends to `output` what the server may read of these bytes and of those held back.
    pub fn push(&mut self, input: &[u8], output: &mut Vec<u8>) {
        let mut joined = std::mem::take(&mut self.held);
        let mut rest = input;
        if !joined.is_empty() {
            joined.extend_from_slice(input);
            rest = &joined;
        }
        while !rest.is_empty() {
            let Some(length) = self.advance(rest, output) else { break };
            rest = &rest[length..];
        }
        self.held = rest.to_vec();
    }

    /// Returns how many bytes are done, or `None` when more are needed.
    fn advance(&mut self, input: &[u8], output: &mut Vec<u8>) -> Option<usize> {
        let (length, next) = match self.state {
            State::Head => match head::length(input) {
                Some(length) if length <= MAX_HEAD_BYTES => {
                    self.state = pass_head(&input[..length], output);
                    return Some(length);
                }
                None if input.len() <= MAX_HEAD_BYTES => return None,
                _ => (0, State::Opaque),
            },
            State::Body(left) => match part(left, input) {
                (length, 0) => (length, State::Head),
                (length, left) => (length, State::Body(left)),
            },
            State::Opaque => (input.len(), State::Opaque),
            State::Rejected => return Some(input.len()),
        };
        output.extend_from_slice(&input[..length]);
        self.state = next;
        Some(length)
    }

    /// Returns the bytes held back when the client has sent its last byte.
    pub fn finish(&mut self) -> Vec<u8> {
        self.state = State::Opaque;
        std::mem::take(&mut self.held)
    }

    /// Whether everything received so far belongs to complete requests.
    pub fn is_between_requests(&self) -> bool {
        self.state == State::Head && self.held.is_empty()
    }

    /// Whether all further bytes are dropped.
    pub fn is_rejected(&self) -> bool {
        self.state == State::Rejected
    }
}

/// How many of the `left` bytes have arrived, and how many are still to come.
fn part(left: u64, input: &[u8]) -> (usize, u64) {
    let length = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
    (length, left - length as u64)
}

fn pass_head(head: &[u8], output: &mut Vec<u8>) -> State {
    let encoded = head::encoded(head);
    // Parsed in the form that is forwarded.
    let next = head::next(encoded.as_deref().unwrap_or(head));
    match next {
        State::Rejected => output.push(REJECTION),
        State::Opaque => output.extend_from_slice(head),
        _ => output.extend_from_slice(encoded.as_deref().unwrap_or(head)),
    }
    next
}

#[cfg(test)]
mod tests;
