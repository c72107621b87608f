//! deny.toml, which cargo-deny also reads.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use spdx::{Expression, LicenseReq, Licensee, ParseMode};

use super::Component;

#[derive(Deserialize)]
struct File {
    licenses: Licenses,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Sources {
    #[serde(rename = "allow-registry")]
    registries: Vec<String>,
}

/// Licenses of old packages that npm's lock file does not name, but their README does.
const LICENSES_ELSEWHERE: [(&str, &str); 1] = [("parse-cache-control", "BSD-3-Clause")];

pub struct Policy {
    allowed: Vec<Licensee>,
    registries: Vec<String>,
}

impl Policy {
    /// # Errors
    /// When the file can't be read, or names an unknown license.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        Self::parse(&text).with_context(|| file.display().to_string())
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let file: File = basic_toml::from_str(text)?;
        let allowed =
            file.licenses.allow.iter().map(|name| Licensee::parse(name).map_err(anyhow::Error::from));
        Ok(Self { allowed: allowed.collect::<anyhow::Result<_>>()?, registries: file.sources.registries })
    }

    /// Whether cargo may use crates from this source. `None` is the workspace.
    pub fn allows_source(&self, source: Option<&str>) -> bool {
        let Some(source) = source else { return true };
        self.registries.iter().any(|registry| source == registry || source == format!("registry+{registry}"))
    }

    /// Why a component may not be used.
    pub fn objection(&self, component: &Component) -> Option<String> {
        let what = format!("{}@{}", component.url, component.version);
        if let Some(source) = &component.foreign_source {
            return Some(format!("{what} is from {source}, which deny.toml does not allow"));
        }
        let known = LICENSES_ELSEWHERE.iter().find(|(name, _)| *name == component.name);
        let license = component.license.as_deref().or(known.map(|(_, license)| *license));
        let Some(license) = license else { return Some(format!("{what} names no license")) };
        match Expression::parse_mode(license, ParseMode::LAX) {
            Ok(expression) if expression.evaluate(|wanted| self.allows(wanted)) => None,
            Ok(_) => Some(format!("{what} has the license {license}, which deny.toml does not allow")),
            Err(error) => Some(format!("{what}: {license} is not a license: {}", error.reason)),
        }
    }

    fn allows(&self, wanted: &LicenseReq) -> bool {
        self.allowed.iter().any(|license| license.satisfies(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "[licenses]\nallow = [\"MIT\", \"BSD-3-Clause\"]\n\
                          [sources]\nallow-registry = [\"https://registry.example\"]\n";

    fn component(license: Option<&str>) -> Component {
        Component {
            url: "pkg:cargo/example".into(),
            name: "example".into(),
            version: "1.0.0".into(),
            license: license.map(str::to_owned),
            hash: None,
            foreign_source: None,
            shipped: true,
        }
    }

    #[test]
    fn licenses_must_be_allowed() {
        let policy = Policy::parse(POLICY).unwrap();
        let objection = |license| policy.objection(&component(license));
        for allowed in
            ["MIT", "MIT OR GPL-3.0-only", "MIT/Apache-2.0", "MIT AND BSD-3-Clause", "Apache-2.0 / MIT"]
        {
            assert_eq!(objection(Some(allowed)), None, "{allowed}");
        }
        for refused in
            ["GPL-3.0-only", "MIT AND GPL-3.0-only", "Apache-2.0 WITH LLVM-exception", "SEE LICENSE IN x", ""]
        {
            assert!(objection(Some(refused)).is_some(), "{refused}");
        }
        assert_eq!(objection(None).unwrap(), "pkg:cargo/example@1.0.0 names no license");
    }

    #[test]
    fn sources_must_be_allowed() {
        let policy = Policy::parse(POLICY).unwrap();
        assert!(
            policy.allows_source(None) && policy.allows_source(Some("registry+https://registry.example"))
        );
        assert!(!policy.allows_source(Some("git+https://registry.example/x")));
        let mut foreign = component(Some("MIT"));
        foreign.foreign_source = Some("git+https://example.test/x".into());
        assert!(policy.objection(&foreign).unwrap().contains("is from git+https://example.test/x"));
    }

    #[test]
    fn our_own_policy_is_understood() {
        Policy::read(&crate::run::root().join("deny.toml")).unwrap();
    }
}
