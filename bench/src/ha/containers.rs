//! Controls the containers of the deployment.

use anyhow::{Context, bail};

use crate::faults::system::run;

pub const NODES: [&str; 3] = ["db1", "db2", "db3"];
pub const VOTERS: [&str; 3] = ["etcd1", "etcd2", "etcd3"];

pub struct Containers {
    engine: String,
    project: String,
}

impl Containers {
    pub fn new(engine: &str, project: &str) -> Self {
        Self { engine: engine.to_owned(), project: project.to_owned() }
    }

    /// The container of a service; `instance` counts from 1.
    pub fn name(&self, service: &str, instance: usize) -> String {
        format!("{}-{service}-{instance}", self.project)
    }

    /// # Errors
    /// When the container engine reports an error.
    pub async fn ask(&self, arguments: &[&str]) -> anyhow::Result<String> {
        run(&self.engine, arguments).await
    }

    /// Starts containers again. Podman gives a container a new hardware address each time, so the old one is
    /// removed from the others' ARP caches. Docker derives it from the IP address, and a real machine keeps
    /// it.
    ///
    /// # Errors
    /// When the container engine reports an error.
    pub async fn start(&self, containers: &[&str]) -> anyhow::Result<()> {
        self.ask(&[&["start"], containers].concat()).await?;
        if !self.engine.ends_with("podman") {
            return Ok(());
        }
        let project = format!("name={}-", self.project);
        for other in self.ask(&["ps", "--quiet", "--filter", &project]).await?.split_whitespace() {
            let network = format!("--net=/proc/{}/ns/net", self.pid(other).await?);
            run("nsenter", &[&network, "ip", "neigh", "flush", "all"]).await?;
        }
        Ok(())
    }

    /// The host's id of the container's first process.
    ///
    /// # Errors
    /// When the container is not running.
    pub async fn pid(&self, container: &str) -> anyhow::Result<String> {
        let pid = self.ask(&["inspect", "--format", "{{.State.Pid}}", container]).await?;
        Ok(pid.trim().to_owned())
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

    /// # Errors
    /// When there is no primary.
    pub async fn replicas(&self) -> anyhow::Result<Vec<&'static str>> {
        let primary = self.primary().await?;
        Ok(NODES.into_iter().filter(|node| *node != primary).collect())
    }

    /// Whether both replicas can confirm commits.
    pub async fn is_settled(&self) -> bool {
        let Ok(primary) = self.primary().await else { return false };
        let streaming =
            "select count(*) from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'";
        self.sql(primary, streaming).await.is_ok_and(|count| count.trim() == "2")
    }

    /// # Errors
    /// When etcd has no leader.
    pub async fn etcd_leader(&self) -> anyhow::Result<&'static str> {
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

    /// Drops all packets between a container and these addresses, or all addresses.
    ///
    /// # Errors
    /// Without root or iptables.
    pub async fn disconnect(&self, container: &str, addresses: &[String]) -> anyhow::Result<()> {
        let everything = [String::from("0.0.0.0/0")];
        let addresses = if addresses.is_empty() { &everything[..] } else { addresses };
        for address in addresses {
            self.iptables(container, &["-I", "INPUT", "-s", address, "-j", "DROP"]).await?;
            self.iptables(container, &["-I", "OUTPUT", "-d", address, "-j", "DROP"]).await?;
        }
        Ok(())
    }

    /// # Errors
    /// Without root or iptables.
    pub async fn connect(&self, container: &str) -> anyhow::Result<()> {
        self.iptables(container, &["-F", "INPUT"]).await?;
        self.iptables(container, &["-F", "OUTPUT"]).await
    }

    async fn iptables(&self, container: &str, rule: &[&str]) -> anyhow::Result<()> {
        let network = format!("--net=/proc/{}/ns/net", self.pid(container).await?);
        run("nsenter", &[&[network.as_str(), "iptables", "-w"], rule].concat()).await.map(drop)
    }

    /// The container's address in the network of the cluster.
    ///
    /// # Errors
    /// When it has none.
    pub async fn address(&self, container: &str) -> anyhow::Result<String> {
        let format = "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}";
        let addresses = self.ask(&["inspect", "--format", format, container]).await?;
        addresses.split_whitespace().next().map(str::to_owned).context("an address")
    }
}
