//! The redirect target of a link: the `redirect_to` of the request, or else the page that sent it
//! (`Referer`).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use crate::service::{Service, Shared};

const NAME: &str = "redirect_to";

/// An allowed redirect target. `None` when the request names none, or none that is allowed.
#[derive(Debug, Clone, Default)]
pub struct RedirectTo(Option<String>);

impl RedirectTo {
    /// Prefers the body's `redirect_to`, if it is allowed, over the one from the request's header, query or
    /// `Referer`.
    #[must_use]
    pub fn prefer(self, service: &Service, named: Option<String>) -> Self {
        let named = named.filter(|target| service.config.accounts.redirects.allows(target));
        Self(named.or(self.0))
    }

    pub fn target(&self) -> Option<&str> {
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
                .map(|(_, target)| target.into_owned())
        };
        let said = text(NAME).filter(|target| !target.is_empty()).or_else(in_query);
        let allowed = |target: &String| service.config.accounts.redirects.allows(target);
        let page = || text(header::REFERER.as_str()).filter(allowed);
        Ok(Self(said.filter(allowed).or_else(page)))
    }
}
