//! Connection strings contain parameters that libpq knows and tokio-postgres does not. This module separates them.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Parameters of libpq that are handled here or have no effect.
const LIBPQ_ONLY: &[&str] = &[
    "client_encoding",
    "fallback_application_name",
    "gssencmode",
    "passfile",
    "ssl",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcert",
    "sslcertmode",
    "sslkey",
    "sslmode",
    "sslpassword",
    "sslrootcert",
    "sslsni",
    "target_session_attrs",
];

/// A connection string for tokio-postgres, and libpq's other parameters.
#[derive(Default)]
pub struct Separated {
    pub supported: String,
    pub others: Vec<(String, String)>,
    /// What precedes the next parameter of a URI; `None` for `name=value` pairs.
    separator: Option<char>,
}

impl Separated {
    pub fn parse(text: &str) -> Option<Self> {
        if text.contains("://") { Some(Self::parse_uri(text)) } else { Self::parse_pairs(text) }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.others.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Adds a parameter of libpq.
    pub fn add(&mut self, name: &str, value: &str) {
        if name == "host" && value.contains(',') {
            value.split(',').for_each(|host| self.add(name, host));
            return;
        }
        if LIBPQ_ONLY.contains(&name) {
            self.others.push((name.to_owned(), value.to_owned()));
            return;
        }
        let name = if name == "keepalives_count" { "keepalives_retries" } else { name };
        let text = match self.separator {
            Some(separator) => format!("{separator}{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)),
            None => format!("{name}='{}' ", value.replace('\\', "\\\\").replace('\'', "\\'")),
        };
        self.supported.push_str(&text);
        self.separator = self.separator.map(|_| '&');
    }

    fn parse_uri(text: &str) -> Self {
        // A password may contain a question mark, but no slash.
        let login = text.find("://").map_or(0, |scheme| scheme + 3);
        let end = text[login..].find(['@', '/']).map_or(login, |end| login + end);
        let after_login = if text[end..].starts_with('@') { end } else { login };
        let start = text[after_login..].find('?').map_or(text.len(), |start| start + after_login);
        let mut separated =
            Self { supported: text[..start].to_owned(), others: Vec::new(), separator: Some('?') };
        let pairs = text[start..].trim_start_matches('?').split('&').filter(|pair| !pair.is_empty());
        for (name, value) in pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))) {
            separated.add(name, &percent_decode_str(value).decode_utf8_lossy());
        }
        separated
    }

    /// `name = value` pairs. Values may be quoted. Returns `None` when a value is missing or a quote is not closed.
    fn parse_pairs(text: &str) -> Option<Self> {
        let mut separated = Self::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=')?;
            let (value, after) = read_value(after.trim_start())?;
            separated.add(name.trim_end(), &value);
            rest = after.trim_start();
        }
        Some(separated)
    }
}

fn read_value(text: &str) -> Option<(String, &str)> {
    let quoted = text.strip_prefix('\'');
    let mut value = String::new();
    let mut characters = quoted.unwrap_or(text).char_indices();
    let text = quoted.unwrap_or(text);
    while let Some((index, found)) = characters.next() {
        match found {
            '\\' => value.push(characters.next()?.1),
            '\'' if quoted.is_some() => return Some((value, &text[index + 1..])),
            space if space.is_whitespace() && quoted.is_none() => return Some((value, &text[index..])),
            other => value.push(other),
        }
    }
    quoted.is_none().then_some((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libpqs_own_parameters_are_separated() {
        for (text, supported) in [
            (
                "postgres://u:p@h/d?sslmode=require&connect_timeout=3&passfile=%2Fa",
                "postgres://u:p@h/d?connect_timeout=3",
            ),
            ("postgresql://?sslmode=require&passfile=/a", "postgresql://"),
            ("postgres://u:p?q@h", "postgres://u:p?q@h"),
            ("postgres://u:p@h/d?application_name=a@b", "postgres://u:p@h/d?application_name=a%40b"),
            ("postgres://h/d?application_name=a@b", "postgres://h/d?application_name=a%40b"),
            ("host = h user='a b\\'c' sslmode=require passfile=/a", "host='h' user='a b\\'c' "),
            ("target_session_attrs=primary keepalives_count=2", "keepalives_retries='2' "),
        ] {
            let separated = Separated::parse(text).unwrap();
            assert_eq!(separated.supported, supported);
            if text.contains("sslmode") {
                assert_eq!(
                    (separated.get("sslmode"), separated.get("passfile")),
                    (Some("require"), Some("/a"))
                );
            }
        }
        assert!(Separated::parse("host='a").is_none() && Separated::parse("host").is_none());
    }
}
