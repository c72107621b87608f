//! The rows of `faults.toml` and of `ha.toml`.

use std::time::Duration;

use anyhow::ensure;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::checks::{Check, MAIL_PATIENCE};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub group: String,
    pub name: String,
    pub about: String,
    #[serde(default)]
    pub embedded: bool,
    #[serde(default)]
    pub prepare: Vec<String>,
    #[serde(default)]
    pub env: Vec<String>,
    pub log: Option<String>,
    pub descriptors: Option<u32>,
    pub answers: Vec<String>,
    wait: u64,
    pub known_after: Option<u64>,
    recovery: u64,
    #[serde(rename = "break")]
    pub breaks: Vec<String>,
    #[serde(default)]
    pub hold: u64,
    #[serde(default)]
    pub mend: Vec<String>,
    #[serde(default)]
    pub checks: Vec<Check>,
}

impl Fault {
    /// Maximum duration of any request.
    pub fn wait(&self) -> Duration {
        Duration::from_secs(self.wait)
    }

    /// How long to wait until no mail waits in the outbox.
    pub fn mail_patience(&self) -> Duration {
        let is_about_mail =
            [Check::MailDelivered, Check::MailDeliveredAgain].iter().any(|check| self.checks.contains(check));
        if is_about_mail { MAIL_PATIENCE } else { Duration::from_secs(3) }
    }

    /// Maximum time from the end of the fault until every service responds normally.
    pub fn recovery(&self) -> Duration {
        Duration::from_secs(self.recovery)
    }
}

#[derive(Deserialize)]
struct Table<F> {
    fault: Vec<F>,
}

/// The faults whose name begins with one of these, or all.
///
/// # Errors
/// When no name begins with one of them.
pub fn chosen<F: DeserializeOwned>(
    toml: &str,
    names: &[String],
    name: impl Fn(&F) -> &str,
) -> anyhow::Result<Vec<F>> {
    let mut faults = basic_toml::from_str::<Table<F>>(toml)?.fault;
    for wanted in names {
        let is_known = faults.iter().any(|fault| name(fault).starts_with(wanted.as_str()));
        ensure!(is_known, "there is no fault {wanted}");
    }
    let is_wanted = |fault: &F| names.iter().any(|wanted| name(fault).starts_with(wanted.as_str()));
    faults.retain(|fault| names.is_empty() || is_wanted(fault));
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_faults_are_the_faults_of_the_table() {
        let page = include_str!("../../../docs/reliability.md");
        for toml in [include_str!("faults.toml"), include_str!("../ha/ha.toml")] {
            let rows = toml.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
            for name in rows {
                assert!(page.contains(&format!("\n| `{name}`: ")), "{name}");
            }
        }
        assert_eq!(chosen::<Fault>(include_str!("faults.toml"), &[], |fault| &fault.name).unwrap().len(), 41);
        let clocks = chosen::<Fault>(include_str!("faults.toml"), &["clock".to_owned()], |fault| &fault.name);
        assert_eq!(clocks.unwrap().len(), 4);
        let typo = chosen::<Fault>(include_str!("faults.toml"), &["clokc".to_owned()], |fault| &fault.name);
        assert!(typo.is_err());
    }
}
