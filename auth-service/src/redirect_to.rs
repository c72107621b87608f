//! Where the caller wants a link to lead: what it says, or else the page it is on.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use crate::service::{Service, Shared};

const NAME: &str = "redirect_to";

/// A place that links may lead to; absent when none was named, or none that is allowed.
#[derive(Debug, Clone, Default)]
pub struct RedirectTo(Option<String>);

impl RedirectTo {
    /// What a body names, if it may, before what the request says otherwise.
    #[must_use]
    pub fn or_rather(self, service: &Service, named: Option<String>) -> Self {
        let named = named.filter(|place| service.config.accounts.redirects.allows(place));
        Self(named.or(self.0))
    }

    pub fn place(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub fn or_site<'a>(&'a self, service: &'a Service) -> &'a str {
        self.0.as_deref().unwrap_or(&service.config.accounts.redirects.site_text)
    }
}

impl FromRequestParts<Shared> for RedirectTo {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self, Infallible> {
        let text =
            |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let query = parts.uri.query().unwrap_or_default();
        let in_query = || {
            url::form_urlencoded::parse(query.as_bytes())
                .find(|(name, _)| name == NAME)
                .map(|(_, place)| place.into_owned())
        };
        let said = text(NAME).filter(|place| !place.is_empty()).or_else(in_query);
        let allowed = |place: &String| service.config.accounts.redirects.allows(place);
        let page = || text(header::REFERER.as_str()).filter(allowed);
        Ok(Self(said.filter(allowed).or_else(page)))
    }
}
