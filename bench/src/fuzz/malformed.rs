//! Requests that break one rule of HTTP/1.1 each.

use std::collections::BTreeMap;

use rand::Rng;
use serde::Deserialize;

use super::grammar::Draw;
use super::request::{Caller, Raw, Request};

const PATHS: &[&str] = &[
    "/rest/v1/influencers",
    "/auth/v1/token",
    "/storage/v1/object/images/x",
    "/functions/v1/create-admin",
    "/",
];

/// Messages that break the same rule. `{path}` is one of the paths above, `{n}` many letters, and `{headers}` many headers.
#[derive(Clone, Deserialize)]
pub struct Kind {
    /// See [`Raw`].
    least: usize,
    most: usize,
    ends: bool,
    texts: Vec<String>,
}

pub fn kinds() -> Vec<(String, Kind)> {
    let kinds: BTreeMap<_, _> = serde_json::from_str(include_str!("malformed.json")).unwrap_or_default();
    kinds.into_iter().collect()
}

impl Draw<'_> {
    pub fn malformed(&mut self) -> Option<Request> {
        let (name, kind) = self.choose(&kinds())?;
        let (text, path) = (self.choose(&kind.texts)?, self.choose(PATHS)?);
        let many = self.random.random_range(10_000..90_000);
        let text = text.replace("{path}", path).replace("{n}", &"a".repeat(many));
        let bytes = text.replace("{headers}", &"a: b\r\n".repeat(many / 45)).into_bytes();
        let mut request = Request::new("raw", &name, "", Caller::Nobody);
        request.raw =
            Some(Raw { bytes, least_answers: kind.least, most_answers: kind.most, ends: kind.ends });
        Some(request)
    }
}
