//! A request as bytes, because malformed ones must arrive unchanged.

use std::fmt::Write as _;

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
    pub const ALL: [Self; 17] = [
        Self::Nobody,
        Self::Visitor,
        Self::NoRole,
        Self::Unapproved,
        Self::Approved,
        Self::Verified,
        Self::Agency,
        Self::Vendor,
        Self::Admin,
        Self::Superadmin,
        Self::Leaver,
        Self::Service,
        Self::Expired,
        Self::Forged,
        Self::Unsigned,
        Self::UnknownRole,
        Self::Garbage,
    ];

    /// The shell variable for the token in a printed command.
    pub fn variable(self) -> &'static str {
        match self {
            Self::Nobody => "",
            Self::Visitor => "ANON_KEY",
            Self::NoRole => "NO_ROLE_TOKEN",
            Self::Unapproved => "UNAPPROVED_TOKEN",
            Self::Approved => "APPROVED_TOKEN",
            Self::Verified => "VERIFIED_TOKEN",
            Self::Agency => "AGENCY_TOKEN",
            Self::Vendor => "VENDOR_TOKEN",
            Self::Admin => "ADMIN_TOKEN",
            Self::Superadmin => "SUPERADMIN_TOKEN",
            Self::Leaver => "LEAVER_TOKEN",
            Self::Service => "SERVICE_ROLE_KEY",
            Self::Expired => "EXPIRED_TOKEN",
            Self::Forged => "FORGED_TOKEN",
            Self::Unsigned => "UNSIGNED_TOKEN",
            Self::UnknownRole => "UNKNOWN_ROLE_TOKEN",
            Self::Garbage => "GARBAGE_TOKEN",
        }
    }

    /// May legitimately delete or change other accounts' data.
    pub fn is_privileged(self) -> bool {
        matches!(self, Self::Service | Self::Superadmin | Self::Admin)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// A route such as `/rest/v1/{table}`. Groups findings together with the method.
    pub template: &'static str,
    pub method: &'static str,
    pub target: Vec<u8>,
    pub headers: Vec<(&'static str, Vec<u8>)>,
    pub caller: Caller,
    pub body: Option<Vec<u8>>,
}

impl Request {
    pub fn new(
        method: &'static str,
        template: &'static str,
        target: impl Into<Vec<u8>>,
        caller: Caller,
    ) -> Self {
        Self { template, method, target: target.into(), headers: Vec::new(), caller, body: None }
    }

    pub fn header(&mut self, name: &'static str, value: impl Into<Vec<u8>>) {
        self.headers.push((name, value.into()));
    }

    #[must_use]
    pub fn json(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", "application/json");
        self.body = Some(body.into());
        self
    }

    /// The whole message, with the caller's token.
    pub fn bytes(&self, host: &str, anon_key: &str, token: Option<&str>) -> Vec<u8> {
        let mut message =
            Vec::with_capacity(512 + self.target.len() + self.body.as_ref().map_or(0, Vec::len));
        message.extend_from_slice(self.method.as_bytes());
        message.push(b' ');
        message.extend_from_slice(&self.target);
        message.extend_from_slice(format!(" HTTP/1.1\r\nhost: {host}\r\n").as_bytes());
        if let Some(token) = token {
            message.extend_from_slice(
                format!("apikey: {anon_key}\r\nauthorization: Bearer {token}\r\n").as_bytes(),
            );
        }
        for (name, value) in &self.headers {
            message.extend_from_slice(name.as_bytes());
            message.extend_from_slice(b": ");
            message.extend_from_slice(value);
            message.extend_from_slice(b"\r\n");
        }
        if let Some(body) = &self.body {
            message.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        message.extend_from_slice(b"\r\n");
        message.extend_from_slice(self.body.as_deref().unwrap_or_default());
        message
    }

    /// The same request as a pasteable command. The reader has to set `$URL` and the tokens.
    pub fn curl(&self) -> String {
        let mut command = String::new();
        let body = self.body.as_deref();
        if let Some(bytes) = body.filter(|bytes| !is_plain(bytes)) {
            let _ = write!(command, "printf '{}' | ", octal(bytes));
        }
        command.push_str("curl -sSi -g --path-as-is ");
        command.push_str(if self.method == "HEAD" { "-I" } else { "-X " });
        command.push_str(if self.method == "HEAD" { "" } else { self.method });
        let _ = write!(command, " \"$URL\"{}", quoted(&self.target));
        if self.caller != Caller::Nobody {
            let variable = self.caller.variable();
            let _ = write!(command, " -H \"apikey: $ANON_KEY\" -H \"Authorization: Bearer ${variable}\"");
        }
        for (name, value) in &self.headers {
            let line = [name.as_bytes(), b": ", value].concat();
            let _ = write!(command, " -H {}", quoted(&line));
        }
        match body {
            Some(bytes) if is_plain(bytes) => {
                let _ = write!(command, " --data-binary {}", quoted(bytes));
            }
            Some(_) => command.push_str(" --data-binary @-"),
            None => {}
        }
        command
    }
}

/// Whether a shell word can contain it unquoted. Long values are unreadable either way.
fn is_plain(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| !text.chars().any(|letter| letter.is_control() && letter != '\n'))
}

fn quoted(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_plain(bytes) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => format!("$'{}'", octal(bytes)),
    }
}

/// Escapes bytes for `printf` and `$'…'`.
fn octal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\'' | b'\\' | b'%' => {
                let _ = write!(text, "\\{byte:03o}");
            }
            0x20..=0x7e => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_repeats_the_request_byte_by_byte() {
        let mut request = Request::new("PATCH", "/rest/v1/{table}", "/rest/v1/gigs?a=it's", Caller::Admin)
            .json(vec![b'{', 0, 0xff, b'%', b'}']);
        request.header("prefer", "count=exact");
        assert_eq!(
            request.curl(),
            "printf '{\\000\\377\\045}' | curl -sSi -g --path-as-is -X PATCH \"$URL\"'/rest/v1/gigs?a=it'\\''s' \
             -H \"apikey: $ANON_KEY\" -H \"Authorization: Bearer $ADMIN_TOKEN\" \
             -H 'content-type: application/json' -H 'prefer: count=exact' --data-binary @-"
        );
    }

    #[test]
    fn the_message_carries_length_and_token() {
        let request = Request::new("POST", "/x", "/x", Caller::Admin).json("{}");
        let message = String::from_utf8(request.bytes("h", "anon", Some("t"))).unwrap();
        assert_eq!(
            message,
            "POST /x HTTP/1.1\r\nhost: h\r\napikey: anon\r\nauthorization: Bearer t\r\n\
             content-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
        );
    }
}
