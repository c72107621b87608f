//! Requests to every route of `routes.txt`: valid, nearly valid and malformed.

use std::sync::LazyLock;

use rand::Rng;
use rand::seq::IndexedRandom;

use super::grammar::{Draw, Place};
use super::ground::Picture;
use super::request::{Caller, Request};

pub struct Route {
    pub method: &'static str,
    weight: u32,
    /// The path with the query.
    pub path: &'static str,
    body: &'static str,
}

pub static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| lines(|method| method != "HEADER"));
static HEADERS: LazyLock<Vec<Route>> = LazyLock::new(|| lines(|method| method == "HEADER"));
const SERVICES: [(&str, u32); 4] = [("/rest/", 67), ("/storage/", 18), ("/auth/", 12), ("/functions/", 3)];

fn lines(is_wanted: fn(&str) -> bool) -> Vec<Route> {
    let lines = include_str!("routes.txt").lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.filter_map(|line| {
        let mut fields = line.splitn(4, ' ');
        let (method, weight) = (fields.next()?, fields.next()?.parse().ok()?);
        Some(Route { method, weight, path: fields.next()?, body: fields.next().unwrap_or("") })
    });
    parsed.filter(|route| is_wanted(route.method)).collect()
}

impl Draw<'_> {
    pub fn request(&mut self) -> Option<Request> {
        let (service, _) = SERVICES.choose_weighted(&mut self.random, |service| service.1).ok()?;
        let routes: Vec<&Route> = ROUTES.iter().filter(|route| route.path.starts_with(service)).collect();
        let route = routes.choose_weighted(&mut self.random, |route| route.weight).ok()?;
        self.caller = self.pick_caller(route.path)?;
        let (base, query) = route.path.split_once('?').unwrap_or((route.path, ""));
        let is_rest = service.starts_with("/rest");
        let method = if is_rest && self.chance(self.odd / 15) {
            self.text("odd method")
        } else {
            route.method.to_owned()
        };
        let mut target = self.fill(base, Place::Path);
        let mut parameters = if base.ends_with("$table") { self.guard(route.method) } else { Vec::new() };
        parameters.extend(query.split('&').filter_map(|part| self.parameter(part)));
        if !parameters.is_empty() {
            target = format!("{target}?{}", parameters.join("&"));
        }
        let mut request = Request::new(&method, base, target, self.caller);
        self.add_headers(route.path, &mut request);
        self.add_body(route.body, &mut request);
        Some(request)
    }

    /// A bad token is rejected before anything else.
    fn pick_caller(&mut self, path: &str) -> Option<Caller> {
        use Caller::*;
        let usual: &[Caller] = match path {
            _ if path.starts_with("/rest/") => &[
                Nobody, Visitor, Visitor, Visitor, NoRole, Unapproved, Approved, Approved, Verified,
                Verified, Agency, Agency, Vendor, Admin, Admin, Superadmin, Superadmin, Service, Service,
                Service,
            ],
            _ if path.starts_with("/functions/") => &[Superadmin, Superadmin, Admin, Agency, Visitor],
            _ if path.starts_with("/storage/") => &[
                Nobody, Visitor, Approved, Approved, Approved, Agency, Vendor, Admin, Superadmin, Service,
                Service,
            ],
            _ if path.contains("/admin/") || path.contains("/invite") => &[Service],
            // Callers who can change a password or end all sessions affect only their own account.
            _ if path.contains("/user") || path.contains("/logout") => {
                return self.choose(&[Leaver, Leaver, Leaver, Expired, Forged, Visitor, Service]);
            }
            _ => &[Visitor, Visitor, Leaver, NoRole, Nobody],
        };
        if !self.chance(if path.starts_with("/rest/") { self.odd } else { 10 }) {
            return self.choose(usual);
        }
        self.choose(&[Expired, Forged, Unsigned, UnknownRole, Garbage, Nobody, Visitor])
    }

    /// `name=value`, sometimes twice. Fixed parameters nearly always, the others in three of four cases.
    fn parameter(&mut self, part: &str) -> Option<String> {
        if part.is_empty() || !self.chance(if part.contains(['$', '@']) { 75 } else { 99 }) {
            return None;
        }
        let filled = self.fill(part, Place::Query);
        let is_doubled = self.chance(self.odd / 5) && self.chance(30);
        Some(if is_doubled { format!("{filled}&{filled}") } else { filled })
    }

    /// Keeps privileged callers from changing data that the run needs: demo accounts, and all rows together.
    fn guard(&mut self, method: &str) -> Vec<String> {
        let table = self.table;
        let owner = if table.name == "profiles" { "id" } else { "user_id" };
        let (is_owned, is_privileged) = (table.has(owner), self.caller.is_privileged());
        match method {
            "DELETE" if table.schema == "fuzz" => vec![self.fill("id=eq.$expendable_row", Place::Query)],
            "DELETE" if is_privileged && is_owned => {
                let id = self.choose(&self.ground.pools["id"]).unwrap_or_default();
                vec![format!("{owner}=eq.{id}")]
            }
            "DELETE" if is_privileged && table.has("id") => {
                vec!["id=eq.5e7b0001-0000-4000-8000-000000000001".to_owned()]
            }
            "PATCH" if is_privileged && is_owned => vec![
                format!("{owner}=gte.5e7b0000-0000-4000-8000-000000000000"),
                format!("{owner}=lt.5e7c0000-0000-4000-8000-000000000000"),
            ],
            _ => Vec::new(),
        }
    }

    fn add_headers(&mut self, path: &str, request: &mut Request) {
        let is_call = path.starts_with("/rest/v1/rpc/");
        let schema = if is_call { "fuzz" } else { self.table.schema.as_str() };
        let is_strange = self.chance(self.odd / 5);
        if path.starts_with("/rest/") && (schema != "public" || is_strange) {
            let reads = matches!(request.method.as_str(), "GET" | "HEAD");
            let name = if reads { "accept-profile" } else { "content-profile" };
            let schema = if is_strange { self.text("schema") } else { schema.to_owned() };
            request.header(name, schema);
        }
        for header in HEADERS.iter().filter(|header| path.starts_with(header.path)) {
            if self.chance(header.weight)
                && let Some((name, value)) = header.body.split_once(": ")
            {
                let value =
                    if self.chance(self.odd / 3) { self.nasty() } else { self.fill(value, Place::Text) };
                let line = value.chars().filter(|letter| !letter.is_control()).take(2000);
                request.header(name, line.collect::<String>());
            }
        }
    }

    fn add_body(&mut self, template: &str, request: &mut Request) {
        let (kind, mut body) = match (template, self.function.arguments.as_slice()) {
            ("", _) => return,
            ("@picture", _) => return self.upload(request),
            ("@noise", _) => ("application/octet-stream", self.noise(400)),
            ("@csv", _) => ("text/csv", self.fill(template, Place::Text).into_bytes()),
            ("@form", _) => {
                ("application/x-www-form-urlencoded", self.fill(template, Place::Query).into_bytes())
            }
            // An unnamed parameter takes the whole body.
            ("@arguments", [(name, kind)]) if name.is_empty() && kind == "bytea" => {
                ("application/octet-stream", self.noise(64))
            }
            ("@arguments", [(name, kind)]) if name.is_empty() && kind == "text" => {
                ("text/plain", self.nasty().into_bytes())
            }
            _ if self.chance(self.odd / 3) => {
                let list = if self.chance(50) { "json" } else { "rows body" };
                ("application/json", self.text(list).into_bytes())
            }
            _ => ("application/json", self.fill(template, Place::Json).into_bytes()),
        };
        if self.chance(self.odd / 2) {
            self.mangle(&mut body);
        }
        let is_strange = self.chance(self.odd / 4);
        request.header("content-type", if is_strange { self.text("media type") } else { kind.to_owned() });
        request.body = Some(body);
    }

    /// A picture, intact in half of all cases, as the body or in a form.
    fn upload(&mut self, request: &mut Request) {
        let Some(Picture { mime_type, mut bytes, .. }) = self.choose(&self.ground.pictures) else { return };
        match self.random.random_range(0..100) {
            0..10 => bytes = self.noise(600),
            10..45 => self.mangle(&mut bytes),
            _ => {}
        }
        let mut kind = if self.chance(15) { self.text("upload type") } else { mime_type.to_owned() };
        if self.chance(30) {
            let (name, age) = (self.text("part name"), self.text("cache"));
            let head = format!(
                "--x\r\ncontent-disposition: form-data; name=\"cacheControl\"\r\n\r\n{age}\r\n--x\r\n\
                 content-disposition: form-data; name=\"{name}\"; filename=\"a.png\"\r\ncontent-type: {kind}\r\n\r\n"
            );
            let end: &[u8] = if self.chance(10) { b"" } else { b"\r\n--x--\r\n" };
            bytes = [head.as_bytes(), &bytes, end].concat();
            kind = format!("multipart/form-data; boundary={}", if self.chance(10) { "y" } else { "x" });
        }
        request.header("content-type", kind);
        for (name, list, percent) in [("x-upsert", "upsert", 50), ("cache-control", "cache", 10)] {
            if self.chance(percent) {
                request.header(name, self.text(list));
            }
        }
        request.body = Some(bytes);
    }
}
