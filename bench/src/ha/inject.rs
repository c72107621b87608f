//! Begins and ends a fault.

use std::time::Duration;

use anyhow::Context;

use super::containers::{Containers, VOTERS};
use super::faults::{Act, Fault, Target};

pub struct Injected<'a> {
    act: Act,
    containers: &'a Containers,
    /// Names of containers.
    targets: Vec<String>,
    /// The replica that becomes the primary, and the primary.
    switchover: Option<(&'static str, &'static str)>,
}

/// Finds out which containers a fault affects.
///
/// # Errors
/// When there is no such container.
pub async fn prepare<'a>(
    fault: &Fault,
    round: usize,
    containers: &'a Containers,
) -> anyhow::Result<Injected<'a>> {
    let of = |service: &str| vec![containers.name(service, 1)];
    let targets = match fault.target {
        Target::Primary => of(containers.primary().await?),
        Target::Replica(number) => of(containers.replicas().await?.get(number).context("a replica")?),
        Target::EtcdLeader => of(containers.etcd_leader().await?),
        Target::Etcd => VOTERS.iter().map(|voter| containers.name(voter, 1)).collect(),
        Target::One(service) => of(service),
        Target::Two(service) => vec![containers.name(service, round + 1)],
    };
    let switchover = match fault.act {
        Act::Switchover => {
            Some((*containers.replicas().await?.first().context("a replica")?, containers.primary().await?))
        }
        _ => None,
    };
    Ok(Injected { act: fault.act, containers, targets, switchover })
}

impl Injected<'_> {
    /// # Errors
    /// When the container engine reports an error.
    pub async fn inject(&self) -> anyhow::Result<()> {
        let targets: Vec<&str> = self.targets.iter().map(String::as_str).collect();
        match self.act {
            Act::Kill => self.containers.ask(&[&["kill"], &targets[..]].concat()).await.map(drop),
            Act::Freeze => self.containers.ask(&[&["pause"], &targets[..]].concat()).await.map(drop),
            Act::Disconnect => self.disconnect(&[]).await,
            Act::DisconnectFromEtcd => {
                let mut addresses = Vec::new();
                for voter in VOTERS {
                    addresses.push(self.containers.address(&self.containers.name(voter, 1)).await?);
                }
                self.disconnect(&addresses).await
            }
            Act::Switchover => {
                let (candidate, primary) = self.switchover.context("a candidate")?;
                let command =
                    ["cluster", "switchover", "serasi", "--leader", primary, "--candidate", candidate];
                let container = self.containers.name(primary, 1);
                self.containers
                    .ask(&[&["exec", &container], &command[..], &["--force"]].concat())
                    .await
                    .map(drop)
            }
        }
    }

    /// # Errors
    /// When the container engine reports an error.
    pub async fn remove(&self) -> anyhow::Result<()> {
        let targets: Vec<&str> = self.targets.iter().map(String::as_str).collect();
        match self.act {
            Act::Kill => self.containers.start(&targets).await,
            Act::Freeze => self.containers.ask(&[&["unpause"], &targets[..]].concat()).await.map(drop),
            Act::Disconnect | Act::DisconnectFromEtcd => {
                for target in &targets {
                    self.containers.connect(target).await?;
                }
                Ok(())
            }
            Act::Switchover => {
                // The old primary has to stop, first.
                tokio::time::sleep(Duration::from_secs(2)).await;
                Ok(())
            }
        }
    }

    async fn disconnect(&self, addresses: &[String]) -> anyhow::Result<()> {
        for target in &self.targets {
            self.containers.disconnect(target, addresses).await?;
        }
        Ok(())
    }

    pub fn note(&self) -> Option<String> {
        self.switchover.map(|(candidate, primary)| format!("from {primary} to {candidate}"))
    }
}
