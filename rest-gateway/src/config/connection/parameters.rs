//! Connection strings contain parameters that libpq knows and tokio-postgres does not. This module separates them.

use percent_encoding::percent_decode_str;

/// Parameters of libpq that are handled here or have no effect.
const LIBPQ_ONLY: &[&str] = &[
    "client_encoding",
    "fallback_application_name",
    "gssdelegation",
    "gssencmode",
    "gsslib",
    "krbsrvname",
    "passfile",
    "replication",
    "require_auth",
    "requirepeer",
    "service",
    "ssl",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcert",
    "sslcertmode",
    "sslcompression",
    "sslcrl",
    "sslcrldir",
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
}

impl Separated {
    pub fn parse(text: &str) -> Option<Self> {
        if text.contains("://") { Some(Self::parse_uri(text)) } else { Self::parse_pairs(text) }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.others.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn parse_uri(text: &str) -> Self {
        // A password may contain a question mark.
        let after_login = text.rfind('@').unwrap_or(0);
        let Some(start) = text[after_login..].find('?').map(|start| start + after_login) else {
            return Self { supported: text.to_owned(), others: Vec::new() };
        };
        let mut separated = Self { supported: text[..start].to_owned(), others: Vec::new() };
        let mut separator = '?';
        for pair in text[start + 1..].split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if LIBPQ_ONLY.contains(&name) {
                let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
                separated.others.push((name.to_owned(), value));
            } else {
                separated.supported.push(separator);
                separated.supported.push_str(&format!("{}={value}", renamed(name)));
                separator = '&';
            }
        }
        separated
    }

    /// `name = value` pairs. Values may be quoted. Returns `None` when a value is missing or a quote is not closed.
    fn parse_pairs(text: &str) -> Option<Self> {
        let mut separated = Self::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=')?;
            let name = name.trim_end();
            let (value, after) = read_value(after.trim_start())?;
            if LIBPQ_ONLY.contains(&name) {
                separated.others.push((name.to_owned(), value));
            } else {
                let value = value.replace('\\', "\\\\").replace('\'', "\\'");
                separated.supported.push_str(&format!("{}='{value}' ", renamed(name)));
            }
            rest = after.trim_start();
        }
        Some(separated)
    }
}

fn renamed(name: &str) -> &str {
    if name == "keepalives_count" { "keepalives_retries" } else { name }
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
