//! Controls the containers of the deployment.

use std::time::Duration;

use anyhow::{Context, bail};

use super::table::{Act, Target};
use crate::faults::system::run;

const NODES: [&str; 3] = ["db1", "db2", "db3"];
const VOTERS: [&str; 3] = ["etcd1", "etcd2", "etcd3"];

pub struct Containers {
    engine: String,
    project: String,
}

impl Containers {
    pub fn new(engine: &str, project: &str) -> Self {
        Self { engine: engine.to_owned(), project: project.to_owned() }
    }

    /// The container of a service; `instance` counts from 1.
    fn name(&self, service: &str, instance: usize) -> String {
        format!("{}-{service}-{instance}", self.project)
    }

    async fn ask(&self, arguments: &[&str]) -> anyhow::Result<String> {
        run(&self.engine, arguments).await
    }

    /// The containers that a fault affects.
    ///
    /// # Errors
    /// When there is no such container.
    pub async fn targets(&self, target: Target, round: usize) -> anyhow::Result<Vec<String>> {
        Ok(match target {
            Target::Primary => vec![self.name(self.primary().await?, 1)],
            Target::Replica(number) => vec![self.name(self.replica(number).await?, 1)],
            Target::EtcdLeader => vec![self.name(self.etcd_leader().await?, 1)],
            Target::Etcd => VOTERS.iter().map(|voter| self.name(voter, 1)).collect(),
            Target::One(service) => vec![self.name(service, 1)],
            Target::Two(service) => vec![self.name(service, round + 1)],
        })
    }

    /// # Errors
    /// When the container engine reports an error.
    pub async fn inject(&self, act: Act, targets: &[String]) -> anyhow::Result<()> {
        let names: Vec<&str> = targets.iter().map(String::as_str).collect();
        match act {
            Act::Kill => self.ask(&[&["kill"], &names[..]].concat()).await.map(drop),
            Act::Freeze => self.ask(&[&["pause"], &names[..]].concat()).await.map(drop),
            Act::Disconnect => self.drop_packets(targets, &["0.0.0.0/0".to_owned()]).await,
            Act::DisconnectFromEtcd => {
                let format = "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}";
                let voters = VOTERS.map(|voter| self.name(voter, 1));
                let voters: Vec<&str> = voters.iter().map(String::as_str).collect();
                let addresses = self.ask(&[&["inspect", "--format", format], &voters[..]].concat()).await?;
                let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
                self.drop_packets(targets, &addresses.lines().filter_map(first).collect::<Vec<_>>()).await
            }
            Act::Switchover => {
                let (candidate, primary) = (self.replica(0).await?, self.primary().await?);
                let command =
                    ["cluster", "switchover", "serasi", "--leader", primary, "--candidate", candidate];
                let container = self.name(primary, 1);
                self.ask(&[&["exec", &container], &command[..], &["--force"]].concat()).await.map(drop)
            }
        }
    }

    /// # Errors
    /// When the container engine reports an error.
    pub async fn mend(&self, act: Act, targets: &[String]) -> anyhow::Result<()> {
        let names: Vec<&str> = targets.iter().map(String::as_str).collect();
        match act {
            Act::Kill => self.start(&names).await?,
            Act::Freeze => drop(self.ask(&[&["unpause"], &names[..]].concat()).await?),
            Act::Disconnect | Act::DisconnectFromEtcd => {
                for target in targets {
                    self.iptables(target, &["-F", "INPUT"]).await?;
                    self.iptables(target, &["-F", "OUTPUT"]).await?;
                }
            }
            // The old primary has to stop, first.
            Act::Switchover => tokio::time::sleep(Duration::from_secs(2)).await,
        }
        Ok(())
    }

    /// Starts containers again. Podman gives a container a new hardware address each time, so the old one is
    /// removed from the others' ARP caches. Docker derives it from the IP address, and a real machine keeps
    /// it.
    async fn start(&self, containers: &[&str]) -> anyhow::Result<()> {
        self.ask(&[&["start"], containers].concat()).await?;
        if !self.engine.ends_with("podman") {
            return Ok(());
        }
        let project = format!("name={}-", self.project);
        for other in self.ask(&["ps", "--quiet", "--filter", &project]).await?.split_whitespace() {
            run("nsenter", &[&self.network(other).await?, "ip", "neigh", "flush", "all"]).await?;
        }
        Ok(())
    }

    /// Drops all packets between containers and these addresses. Needs root.
    async fn drop_packets(&self, containers: &[String], addresses: &[String]) -> anyhow::Result<()> {
        for container in containers {
            for address in addresses {
                self.iptables(container, &["-I", "INPUT", "-s", address, "-j", "DROP"]).await?;
                self.iptables(container, &["-I", "OUTPUT", "-d", address, "-j", "DROP"]).await?;
            }
        }
        Ok(())
    }

    async fn iptables(&self, container: &str, rule: &[&str]) -> anyhow::Result<()> {
        let network = self.network(container).await?;
        run("nsenter", &[&[network.as_str(), "iptables", "-w"], rule].concat()).await.map(drop)
    }

    /// nsenter's option for the network of a container.
    async fn network(&self, container: &str) -> anyhow::Result<String> {
        let pid = self.ask(&["inspect", "--format", "{{.State.Pid}}", container]).await?;
        Ok(format!("--net=/proc/{}/ns/net", pid.trim()))
    }

    /// The result of a statement on one node, as the superuser.
    ///
    /// # Errors
    /// When the node does not answer within some seconds.
    pub async fn sql(&self, node: &str, statement: &str) -> anyhow::Result<String> {
        let container = self.name(node, 1);
        let psql = ["psql", "--host", "/tmp", "--username", "postgres", "--dbname", "serasi"];
        let arguments = [&["exec", &container, "timeout", "5"][..], &psql, &["-AtqXc", statement]].concat();
        self.ask(&arguments).await
    }

    /// # Errors
    /// When no node is the primary.
    pub async fn primary(&self) -> anyhow::Result<&'static str> {
        for node in NODES {
            if self.sql(node, "select pg_is_in_recovery()").await.is_ok_and(|answer| answer.trim() == "f") {
                return Ok(node);
            }
        }
        bail!("there is no primary")
    }

    async fn replica(&self, number: usize) -> anyhow::Result<&'static str> {
        let primary = self.primary().await?;
        NODES.into_iter().filter(|node| *node != primary).nth(number).context("a replica")
    }

    /// Whether both replicas can confirm commits.
    pub async fn is_settled(&self) -> bool {
        let Ok(primary) = self.primary().await else { return false };
        let streaming =
            "select count(*) from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'";
        self.sql(primary, streaming).await.is_ok_and(|count| count.trim() == "2")
    }

    async fn etcd_leader(&self) -> anyhow::Result<&'static str> {
        for voter in VOTERS {
            let container = self.name(voter, 1);
            let status = ["exec", &container, "etcdctl", "endpoint", "status", "--write-out", "fields"];
            let Ok(said) = self.ask(&status).await else { continue };
            let field = |name: &str| {
                let line = said.lines().find(|line| line.starts_with(&format!("\"{name}\"")))?;
                line.split_once(':').map(|(_, value)| value.trim().to_owned())
            };
            if field("MemberID").is_some() && field("MemberID") == field("Leader") {
                return Ok(voter);
            }
        }
        bail!("etcd has no leader")
    }
}
