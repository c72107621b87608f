//! Positions in the primary's write-ahead log. What a client has written or seen is visible on every server that has
//! replayed its position.

use std::fmt;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use tokio_postgres::types::PgLsn;

/// A header for clients without cookies: responses contain it, and the next read may send it.
pub const HEADER: HeaderName = HeaderName::from_static("x-read-after");
const COOKIE: &str = "read-after";
/// After this time, every replica in use has the position.
const COOKIE_SECONDS: u32 = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(pub u64);

impl Position {
    /// Larger than any replayed position.
    pub const UNKNOWN: Self = Self(u64::MAX);
}

/// PostgreSQL's format: two hexadecimal numbers of 32 bits.
impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse::<PgLsn>().map(|position| Self(position.into())).map_err(drop)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&PgLsn::from(self.0), formatter)
    }
}

/// The position that the client names in a header or a cookie. Any other value, such as `latest`, requires
/// the primary.
pub fn named(headers: &HeaderMap) -> Option<Position> {
    let parsed = |text: &str| text.trim().parse().unwrap_or(Position::UNKNOWN);
    let in_header = headers.get(HEADER).map(|value| value.to_str().map_or(Position::UNKNOWN, parsed));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    // Another application's cookie of this name is ignored.
    let in_cookie =
        pairs.filter(|(name, _)| *name == COOKIE).filter_map(|(_, value)| value.parse().ok()).max();
    in_header.max(in_cookie)
}

/// Whether the client named this position or a newer one, so that it needs no announcement.
pub fn is_known(headers: &HeaderMap, position: Position) -> bool {
    named(headers).is_some_and(|named| named != Position::UNKNOWN && named >= position)
}

/// Adds the position that the client has written or seen to a response. Every gateway then sends the client's reads to a
/// server that has replayed it.
pub fn announce(headers: &mut HeaderMap, position: Position) {
    let cookie = format!("{COOKIE}={position}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
    if let Ok(value) = HeaderValue::try_from(position.to_string()) {
        headers.insert(HEADER, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_postgresqls_format() {
        assert_eq!("16/B374D848".parse(), Ok(Position(0x16_B374_D848)));
        assert_eq!(Position(0x16_B374_D848).to_string(), "16/B374D848");
        for wrong in ["", "1", "/", "1/", "x/1"] {
            assert_eq!(wrong.parse::<Position>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn clients_name_the_position_in_a_header_or_a_cookie() {
        let of = |pairs: &[(HeaderName, &str)]| {
            let pairs =
                pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()));
            named(&pairs.collect())
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(HEADER, "0/5")]), Some(Position(5)));
        assert_eq!(of(&[(HEADER, "latest")]), Some(Position::UNKNOWN));
        assert_eq!(of(&[(header::COOKIE, "a=b; read-after=0/7; c=d")]), Some(Position(7)));
        assert_eq!(of(&[(header::COOKIE, "read-after=0/7"), (HEADER, "0/9")]), Some(Position(9)));
        assert_eq!(of(&[(header::COOKIE, "read-after=nonsense")]), None);
        let mut headers = HeaderMap::new();
        announce(&mut headers, Position(7));
        let set = headers[header::SET_COOKIE].to_str().unwrap();
        let cookie = set.split(';').next().unwrap().to_owned();
        assert_eq!(of(&[(header::COOKIE, &cookie)]), Some(Position(7)));
    }
}
