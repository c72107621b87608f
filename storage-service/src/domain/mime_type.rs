//! MIME types: which ones a bucket may list as allowed, and which types a list allows.

/// `type/subtype`, `type/*`, or `type/subtype; charset=x`.
pub fn is_listable(entry: &str) -> bool {
    let (essence, parameter) = match entry.split_once(';') {
        Some((essence, parameter)) => (essence.trim_end(), Some(parameter.trim())),
        None => (entry, None),
    };
    let Some((kind, subtype)) = essence.split_once('/') else {
        return false;
    };
    let charset = parameter.is_none_or(|text| text.strip_prefix("charset=").is_some_and(is_token));
    is_token(kind) && kind != "*" && is_token(subtype) && charset
}

/// A missing or empty list allows everything. An entry without a parameter (`;charset=…`) allows every one.
pub fn allows(list: Option<&[String]>, declared: &str) -> bool {
    let Some(list) = list.filter(|list| !list.is_empty()) else {
        return true;
    };
    let plain = |text: &str| text.replace(' ', "").to_ascii_lowercase();
    let declared = plain(declared);
    let essence = declared.split(';').next().unwrap_or_default();
    list.iter().map(|entry| plain(entry)).any(|entry| match entry.strip_suffix("/*") {
        Some(kind) => essence.split_once('/').is_some_and(|(declared, _)| declared == kind),
        None => entry == essence || entry == declared,
    })
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-*".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_entries_may_be_listed() {
        for entry in ["image/png", "image/*", "application/vnd.ms-excel", "text/plain; charset=utf-8"] {
            assert!(is_listable(entry), "{entry}");
        }
        for entry in ["", "image", "image/", "/png", "*/*", "image/png/x", "text/plain; q=1", "a b/c"] {
            assert!(!is_listable(entry), "{entry}");
        }
    }

    #[test]
    fn a_parameter_matches_only_if_it_is_listed_or_none_is() {
        let list = ["text/plain", "text/csv; charset=utf-8", "image/*"].map(str::to_owned);
        assert!(allows(Some(&list), "text/plain"));
        assert!(allows(Some(&list), "Text/plain;charset=UTF-8"));
        assert!(!allows(Some(&list), "text/plainer;charset=UTF-8"));
        assert!(allows(Some(&list), "text/csv;charset=UTF-8"));
        assert!(!allows(Some(&list), "text/csv;charset=latin1"));
        assert!(allows(Some(&list), "image/avif"));
        assert!(!allows(Some(&list), "imagery/avif"));
        assert!(allows(Some(&[]), "x/y") && allows(None, "x/y"));
    }
}
