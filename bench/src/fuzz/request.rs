//! A request as bytes, because malformed ones must arrive unchanged.

/// The caller of a request. The tokens themselves differ between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Caller {
    Nobody,
    Visitor,
    NoRole,
    Unapproved,
    Approved,
    Verified,
    Agency,
    Vendor,
    Admin,
    Superadmin,
    /// An account whose sessions and password the run may change.
    Leaver,
    Service,
    Expired,
    Forged,
    Unsigned,
    UnknownRole,
    Garbage,
}

impl Caller {
    /// May legitimately delete or change other accounts' data.
    pub fn is_privileged(self) -> bool {
        matches!(self, Self::Service | Self::Superadmin | Self::Admin)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// A route such as `/rest/v1/{table}`. Groups findings together with the method.
    pub template: String,
    pub method: String,
    pub target: Vec<u8>,
    pub headers: Vec<(String, Vec<u8>)>,
    pub caller: Caller,
    pub body: Option<Vec<u8>>,
    /// Bytes instead of all this, which break a rule of HTTP.
    pub raw: Option<Raw>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Raw {
    pub bytes: Vec<u8>,
    /// The minimum number of responses. Fewer mean that a request got none.
    pub least_answers: usize,
    /// The maximum number of responses, not counting rejections. More mean that a body was parsed as a request.
    pub most_answers: usize,
    /// Whether the client closes its side, so that the announced body stays incomplete.
    pub ends: bool,
}

impl Request {
    pub fn new(method: &str, template: &str, target: impl Into<Vec<u8>>, caller: Caller) -> Self {
        let (method, template) = (method.to_owned(), template.to_owned());
        Self { template, method, target: target.into(), headers: Vec::new(), caller, body: None, raw: None }
    }

    pub fn header(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        self.headers.push((name.to_owned(), value.into()));
    }

    /// The whole message, with the caller's token.
    pub fn bytes(&self, host: &str, anon_key: &str, token: Option<&str>) -> Vec<u8> {
        if let Some(raw) = &self.raw {
            return raw.bytes.clone();
        }
        let mut message = [self.method.as_bytes(), b" ", &self.target].concat();
        message.extend_from_slice(format!(" HTTP/1.1\r\nhost: {host}\r\n").as_bytes());
        if let Some(token) = token {
            let keys = format!("apikey: {anon_key}\r\nauthorization: Bearer {token}\r\n");
            message.extend_from_slice(keys.as_bytes());
        }
        for (name, value) in &self.headers {
            message.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        if let Some(body) = &self.body {
            message.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        message.extend_from_slice(b"\r\n");
        message.extend_from_slice(self.body.as_deref().unwrap_or_default());
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_carries_length_and_token() {
        let mut request = Request::new("POST", "/x", "/x", Caller::Admin);
        request.body = Some(b"{}".to_vec());
        request.header("content-type", "application/json");
        let message = String::from_utf8(request.bytes("h", "anon", Some("t"))).unwrap();
        assert_eq!(
            message,
            "POST /x HTTP/1.1\r\nhost: h\r\napikey: anon\r\nauthorization: Bearer t\r\n\
             content-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
        );
    }
}
