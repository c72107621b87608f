//! Allowed redirect targets of links: our own pages, and those that the operator allows. An open redirect
//! would hand the session to an attacker.

use std::borrow::Cow;

use url::{Host, Url};

use super::glob::Glob;

/// Schemes that run code or open local files. No pattern allows them.
const NO_PLACES: [&str; 6] = ["javascript", "data", "vbscript", "blob", "file", "about"];

#[derive(Debug, Clone)]
pub struct Redirects {
    site: Url,
    /// The URL as the operator wrote it, because responses quote it verbatim.
    pub site_text: String,
    allowed: Vec<Glob>,
}

impl Redirects {
    pub fn new(site: Url, site_text: &str, allowed: Vec<Glob>) -> Self {
        Self { site, site_text: site_text.to_owned(), allowed }
    }

    pub fn allows(&self, text: &str) -> bool {
        // Browsers and servers parse these characters differently, which attackers exploit.
        if text.contains(|letter: char| letter.is_control() || letter.is_whitespace() || letter == '\\') {
            return false;
        }
        let Ok(url) = Url::parse(text) else { return false };
        if !url.username().is_empty() || url.password().is_some() || NO_PLACES.contains(&url.scheme()) {
            return false;
        }
        if self.is_ours(&url) {
            return true;
        }
        match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback() && matches!(url.scheme(), "http" | "https"),
            Some(Host::Ipv6(address)) => address.is_loopback() && matches!(url.scheme(), "http" | "https"),
            Some(Host::Domain(_)) | None => {
                let place = text.split('#').next().unwrap_or_default();
                self.allowed.iter().any(|glob| glob.matches(place))
            }
        }
    }

    fn is_ours(&self, url: &Url) -> bool {
        let port_matters = self.site.host_str() != Some("localhost");
        url.scheme() == self.site.scheme()
            && url.host() == self.site.host()
            && (!port_matters || url.port_or_known_default() == self.site.port_or_known_default())
    }
}

/// Sets these query parameters, replacing any of the same name, and drops the fragment.
pub fn with_query(address: &str, parameters: &[(&str, &str)]) -> String {
    let address = without_fragment(address);
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let kept = url::form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| !parameters.iter().any(|(replaced, _)| *replaced == name.as_ref()));
    format!(
        "{path}?{}",
        url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(kept)
            .extend_pairs(parameters)
            .finish()
    )
}

/// Encodes a URL as a parameter value. Clients look for it verbatim, so it stays unencoded unless that would
/// change its meaning.
pub fn as_parameter(address: &str) -> Cow<'_, str> {
    if address.contains(['&', '=', '#', '+', '%']) {
        url::form_urlencoded::byte_serialize(address.as_bytes()).collect::<String>().into()
    } else {
        address.into()
    }
}

/// Replaces the fragment with these parameters.
pub fn with_fragment(address: &str, parameters: &[(&str, &str)]) -> String {
    let fragment = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    format!("{}#{fragment}", without_fragment(address))
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirects(site: &str, allowed: &[&str]) -> Redirects {
        let globs = allowed.iter().map(|text| Glob::parse(text).unwrap()).collect();
        Redirects::new(Url::parse(site).unwrap(), site, globs)
    }

    #[test]
    fn only_our_own_pages_are_allowed_by_default() {
        let ours = redirects("https://serasi.test", &[]);
        for good in [
            "https://serasi.test",
            "https://serasi.test/a?b#c",
            "https://SERASI.test:443/",
            "http://127.0.0.1:3000/x",
            "http://[::1]/",
        ] {
            assert!(ours.allows(good), "{good}");
        }
        for bad in [
            "",
            "/a",
            "//evil.test",
            "https://evil.test",
            "http://serasi.test",
            "https://serasi.test:8443",
            "javascript:alert(1)",
            "https://serasi.test.evil.test",
            "https://serasi.test@evil.test",
            "https://evil@serasi.test",
            "https://evil.test\\@serasi.test",
            "https://evil.test/https://serasi.test",
            "https://10.0.0.1/",
            "data:text/html,x",
            "https://serasi.test/\r\nSet-Cookie: a=b",
            " https://serasi.test",
            "javascript://127.0.0.1/%0aalert(1)",
            "ftp://127.0.0.1/",
            "https://sub.serasi.test",
        ] {
            assert!(!ours.allows(bad), "{bad:?}");
        }
    }

    #[test]
    fn any_port_is_allowed_on_localhost() {
        assert!(redirects("http://localhost:8000", &[]).allows("http://localhost:3000/a"));
        assert!(!redirects("http://localhost:8000", &[]).allows("https://localhost:8000/a"));
    }

    #[test]
    fn patterns_allow_more_targets_but_no_script_urls() {
        let ours =
            redirects("https://serasi.test", &["serasi://callback", "https://*.partner.test/**", "**"]);
        assert!(ours.allows("serasi://callback#x") && ours.allows("https://a.partner.test/b/c"));
        for bad in
            ["javascript:alert(1)", "data:text/html,x", "https://10.0.0.1/", "https://a@b.partner.test/"]
        {
            assert!(!ours.allows(bad), "{bad}");
        }
    }

    #[test]
    fn a_url_survives_a_round_trip_as_a_parameter() {
        assert_eq!(as_parameter("http://localhost:9999/welcome?a"), "http://localhost:9999/welcome?a");
        for address in ["https://a.test/b?c=d&e=f#g", "https://a.test/%20+x", "https://a.test/b?c"] {
            let link = format!("https://b.test/?redirect_to={}&x=y", as_parameter(address));
            let link = Url::parse(&link).unwrap();
            let first = link.query_pairs().next().unwrap();
            assert_eq!((&*first.0, &*first.1), ("redirect_to", address));
        }
    }

    #[test]
    fn parameters_replace_those_of_the_same_name() {
        assert_eq!(with_query("https://a.test", &[("code", "x y")]), "https://a.test?code=x+y");
        assert_eq!(
            with_query("https://a.test/b?code=old&c=d#e", &[("code", "new")]),
            "https://a.test/b?c=d&code=new"
        );
        assert_eq!(
            with_fragment("https://a.test/#old", &[("sb", ""), ("a", "b c")]),
            "https://a.test/#sb=&a=b+c"
        );
    }
}
