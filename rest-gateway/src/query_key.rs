//! Supabase's gateway accepts the API key as the query parameter `apikey` and removes it from the request. The
//! parser would take it for a filter. Here, too, the key is removed, and only a key: everything else stays a
//! filter or an argument. It does not authenticate the request, because addresses are logged.

use axum::http::Uri;

const NAME: &str = "apikey=";
/// Clients send one. Verifying a signature takes processor time, so the rest of a longer list is not looked at.
const MAX_CHECKS: usize = 4;

/// The address without API keys; `None` if it contains none.
pub fn without(uri: &Uri, is_key: impl Fn(&str) -> bool) -> Option<Uri> {
    let query = uri.query().filter(|query| query.contains(NAME))?;
    let mut checks = 0..MAX_CHECKS;
    let mut is_ours = |parameter: &str| {
        parameter.strip_prefix(NAME).is_some_and(|value| checks.next().is_some() && is_key(value))
    };
    let kept: Vec<&str> = query.split('&').filter(|parameter| !is_ours(parameter)).collect();
    if kept.len() == query.split('&').count() {
        return None;
    }
    let target =
        if kept.is_empty() { uri.path().to_owned() } else { format!("{}?{}", uri.path(), kept.join("&")) };
    Uri::builder().path_and_query(target).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_are_removed() {
        for (given, wanted) in [
            ("/people?apikey=key", Some("/people")),
            ("/people?apikey=key&age=gt.1", Some("/people?age=gt.1")),
            ("/people?age=gt.1&apikey=key&select=%2A&apikey=key", Some("/people?age=gt.1&select=%2A")),
            ("/people?apikey=key&apikey=eq.key", Some("/people?apikey=eq.key")),
            ("/people", None),
            ("/people?apikey=", None),
            ("/people?apikey=eq.key", None),
            ("/people?my_apikey=key", None),
            ("/people?age=gt.1", None),
        ] {
            let left = without(&given.parse().unwrap(), |value| value == "key");
            assert_eq!(left, wanted.map(|wanted| wanted.parse().unwrap()), "{given}");
        }
    }

    #[test]
    fn only_the_first_values_are_verified() {
        let verified = std::cell::Cell::new(0);
        let address = format!("/people?{}", ["apikey=x"; 1000].join("&"));
        let count = |_: &str| {
            verified.set(verified.get() + 1);
            false
        };
        assert_eq!(without(&address.parse().unwrap(), count), None);
        assert_eq!(verified.get(), MAX_CHECKS);
    }
}
