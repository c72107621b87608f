//! The connection URL, as libpq reads it: it may name several hosts, which `url::Url` can't read.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The parts of a connection URL, still percent-encoded.
#[derive(Clone, Copy)]
pub struct Address<'t> {
    scheme: &'t str,
    /// `user`, `user:password` or nothing.
    login: &'t str,
    hosts: &'t str,
    /// The path including its slash, or an empty string.
    path: &'t str,
    query: &'t str,
}

impl<'t> Address<'t> {
    /// Returns `None` unless the text begins with `postgres://` or `postgresql://`.
    pub fn parse(text: &'t str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        if !matches!(scheme, "postgres" | "postgresql") {
            return None;
        }
        let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (login, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        Some(Self { scheme, login, hosts, path, query })
    }

    /// The decoded value of a parameter. If it is repeated, the last one counts.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let value = self.pairs().filter(|(found, _)| *found == name).last()?.1;
        Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
    }

    pub fn has_password(&self) -> bool {
        self.login.contains(':') || self.parameter("password").is_some()
    }

    /// The URL with this password.
    pub fn with_password(&self, password: &str) -> String {
        let password = encoded(password);
        if self.hosts.is_empty() && self.login.is_empty() {
            // Such a URL, for example that of a Unix socket, has no authority part that could contain a
            // password.
            let separator = if self.query.is_empty() { "" } else { "&" };
            return self.text(
                self.login,
                self.hosts,
                &format!("{}{separator}password={password}", self.query),
            );
        }
        let user = self.login.split(':').next().unwrap_or_default();
        self.text(&format!("{user}:{password}"), self.hosts, self.query)
    }

    /// The URL with another user and password.
    pub fn with_login(&self, user: &str, password: &str) -> String {
        let query = self.without(&["user", "password"]);
        self.text(&format!("{}:{}", encoded(user), encoded(password)), self.hosts, &query)
    }

    /// Returns the URL without the password and without parameters that only sqlx knows, and the password separately.
    pub fn without_password(&self) -> (String, Option<String>) {
        let (user, password) = self.login.split_once(':').map_or((self.login, None), |(user, password)| {
            (user, Some(percent_decode_str(password).decode_utf8_lossy().into_owned()))
        });
        let query = self.without(&["password", "statement-cache-capacity"]);
        (self.text(user, self.hosts, &query), self.parameter("password").or(password))
    }

    /// One URL for each host, without these parameters.
    ///
    /// # Errors
    /// When the number of ports is neither 1 nor the number of hosts.
    pub fn of_single_hosts(&self, without: &[&str]) -> Result<Vec<String>, String> {
        let (hosts, ports) = (self.parameter("hostaddr").or(self.parameter("host")), self.parameter("port"));
        if hosts.is_none() && ports.is_none() {
            let query = self.without(without);
            return Ok(self.hosts.split(',').map(|host| self.text(self.login, host, &query)).collect());
        }
        let all = hosts.unwrap_or_else(|| self.hosts.to_owned());
        let hosts: Vec<&str> = all.split(',').collect();
        let ports: Vec<&str> = ports.as_deref().map(|ports| ports.split(',').collect()).unwrap_or_default();
        if ports.len() > 1 && ports.len() != hosts.len() {
            return Err(format!("names {} ports for {} hosts", ports.len(), hosts.len()));
        }
        let shared = self.without(&[without, &["host", "hostaddr", "port"]].concat());
        let url = |(index, host): (usize, &&str)| {
            let port = ports.get(index).or(ports.first()).filter(|port| !port.is_empty());
            let host = (!host.is_empty()).then(|| format!("host={}", encoded(host)));
            let port = port.map(|port| format!("port={}", encoded(port)));
            let shared = (!shared.is_empty()).then(|| shared.clone());
            let query: Vec<String> = [shared, host, port].into_iter().flatten().collect();
            self.text(self.login, "", &query.join("&"))
        };
        Ok(hosts.iter().enumerate().map(url).collect())
    }

    fn pairs(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let pairs = self.query.split('&').filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
    }

    fn without(&self, names: &[&str]) -> String {
        let kept = self.pairs().filter(|(name, _)| !names.contains(name));
        kept.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    fn text(&self, login: &str, hosts: &str, query: &str) -> String {
        let Self { scheme, path, .. } = self;
        let at = if login.is_empty() { "" } else { "@" };
        let separator = if query.is_empty() { "" } else { "?" };
        format!("{scheme}://{login}{at}{hosts}{path}{separator}{query}")
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(text: &str) -> Vec<String> {
        Address::parse(text).unwrap().of_single_hosts(&["target_session_attrs"]).unwrap()
    }

    #[test]
    fn each_host_gets_a_url() {
        for (text, expected) in [
            (
                "postgres://me:p%40@a:1,[::1]:2/d?x=y",
                &["postgres://me:p%40@a:1/d?x=y", "postgres://me:p%40@[::1]:2/d?x=y"][..],
            ),
            ("postgres://a,b/d?target_session_attrs=primary", &["postgres://a/d", "postgres://b/d"]),
            (
                "postgres://me@/d?host=a,b&port=1,2",
                &["postgres://me@/d?host=a&port=1", "postgres://me@/d?host=b&port=2"],
            ),
            (
                "postgres:///d?host=/run,b&port=7",
                &["postgres:///d?host=%2Frun&port=7", "postgres:///d?host=b&port=7"],
            ),
            ("postgresql://", &["postgresql://"]),
            ("postgres://h/d?port=5", &["postgres:///d?host=h&port=5"]),
        ] {
            assert_eq!(hosts(text), expected, "{text}");
        }
        let wrong = Address::parse("postgres:///?host=a,b,c&port=1,2").unwrap().of_single_hosts(&[]);
        assert_eq!(wrong.unwrap_err(), "names 2 ports for 3 hosts");
        assert!(Address::parse("mysql://a").is_none() && Address::parse("host=a").is_none());
    }

    #[test]
    fn the_password_is_removed_from_the_url() {
        for (text, url, password) in [
            (
                "postgres://me:a%2Fb@a:1,b:2/d?sslmode=require",
                "postgres://me@a:1,b:2/d?sslmode=require",
                Some("a/b"),
            ),
            ("postgres:///d?host=/run&password=x%26y", "postgres:///d?host=/run", Some("x&y")),
            ("postgres://me@%2Frun%2Fa:7/d?statement-cache-capacity=0", "postgres://me@%2Frun%2Fa:7/d", None),
        ] {
            let expected = (url.to_owned(), password.map(str::to_owned));
            assert_eq!(Address::parse(text).unwrap().without_password(), expected, "{text}");
        }
    }

    #[test]
    fn a_login_replaces_user_and_password() {
        let changed = |text: &str| Address::parse(text).unwrap().with_login("new", "a/b");
        assert_eq!(changed("postgres://old:x@a:1,b:2/d"), "postgres://new:a%2Fb@a:1,b:2/d");
        assert_eq!(
            changed("postgres:///d?host=/run&user=old&password=x"),
            "postgres://new:a%2Fb@/d?host=/run"
        );
    }
}
