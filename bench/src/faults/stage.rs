//! The environment of a fault: the product, its database, its mail server and its clients.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::Context;
use test_support::faulty_proxy::FaultyProxy;
use tokio::time::Instant;
use tokio_postgres::Client as Sql;

use super::client::Client;
use super::cluster::Cluster;
use super::load::{Load, recovery};
use super::mail_server::MailServer;
use super::outcome::Outcome;
use super::product::{Log, Product, Setup};
use super::sampling::Kind;
use super::system::Mount;
use super::{Options, kept, system};
use crate::reader;

/// Load before the fault, so that connections are warm.
const QUIET: Duration = Duration::from_millis(1500);
/// Load after the fault, to detect errors that persist.
const AFTERWARDS: Duration = Duration::from_millis(1500);
/// If recovery takes longer, the product counts as not recovering on its own.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);

/// Differences from `serasi up` with an embedded database.
#[derive(Default)]
pub struct Wanted {
    /// An external PostgreSQL behind a proxy.
    pub external: bool,
    /// The size in megabytes of the disk for the data directory.
    pub small_disk: Option<u32>,
    /// Puts the pictures on a separate disk.
    pub small_storage: Option<u32>,
    pub env: HashMap<&'static str, String>,
    pub log: Log,
    pub descriptors: Option<u32>,
}

/// Fields are dropped in this order.
pub struct Stage {
    pub product: Product,
    pub proxy: Option<FaultyProxy>,
    pub cluster: Option<Cluster>,
    pub mails: MailServer,
    pub client: Arc<Client>,
    /// How long e-mails may remain in the outbox after a fault.
    pub mail_patience: Duration,
    database: String,
    pub storage_disk: Option<Mount>,
    _mounts: Vec<Mount>,
    folder: Folder,
}

/// Removed when dropped. Every account may traverse it, because PostgreSQL runs as another account.
pub struct Folder(PathBuf);

impl Folder {
    fn new() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("serasi-faults-{:08x}", rand::random::<u32>()));
        std::fs::create_dir(&path)?;
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut remove = std::process::Command::new("rm");
        let _ = remove.args(["-rf", "--one-file-system"]).arg(&self.0).stderr(Stdio::null()).status();
    }
}

/// A separate PostgreSQL, and a proxy in front of it.
struct External {
    cluster: Cluster,
    proxy: FaultyProxy,
}

impl External {
    async fn start(options: &Options, folder: &Path) -> anyhow::Result<Self> {
        let cluster = Cluster::start(&options.postgresql, folder).await?;
        let proxy = FaultyProxy::start(cluster.address()).await;
        Ok(Self { cluster, proxy })
    }
}

async fn storage_disk(
    size: u32,
    folder: &Path,
    env: &mut HashMap<&'static str, String>,
) -> anyhow::Result<Mount> {
    let disk = folder.join("disk");
    let mount = Mount::tmpfs(&disk, size).await?;
    env.insert("STORAGE_DIR", disk.join("storage").display().to_string());
    Ok(mount)
}

impl Stage {
    /// # Errors
    /// When it can't be set up, with [`system::Unavailable`] if this machine doesn't support it.
    pub async fn start(options: &Options, wanted: Wanted) -> anyhow::Result<Self> {
        let folder = Folder::new()?;
        let mails = MailServer::start()?;
        let data_dir = folder.path().join("data");
        let mut mounts = Vec::new();
        if let Some(size) = wanted.small_disk {
            mounts.push(Mount::tmpfs(&data_dir, size).await?);
        }
        if let Log::Disk(disk) = &wanted.log {
            mounts.push(Mount::tmpfs(disk, 1).await?);
        }
        let mut env = wanted.env;
        let storage_disk = match wanted.small_storage {
            Some(size) => Some(storage_disk(size, folder.path(), &mut env).await?),
            None => None,
        };
        let external = match wanted.external {
            true => Some(External::start(options, folder.path()).await?),
            false => None,
        };
        if let Some(external) = &external {
            let address = external.proxy.address();
            env.insert("DATABASE_URL", format!("postgres://postgres@{address}/postgres"));
        }
        let (cluster, proxy) = external.map(|External { cluster, proxy }| (cluster, proxy)).unzip();
        env.insert("SMTP_URL", mails.url());
        let (log, descriptors) = (wanted.log, wanted.descriptors);
        let product =
            Product::start(Setup { program: options.serasi.clone(), data_dir, env, log, descriptors })
                .await?;
        let settings = product.settings().await?;
        let setting = |name: &str| settings.get(name).cloned().with_context(|| format!("no {name}"));
        let database = match &cluster {
            Some(cluster) => cluster.url(),
            None => setting("DB_URL")?,
        };
        let client = Client::new(product.url(), setting("ANON_KEY")?, setting("SERVICE_ROLE_KEY")?).await?;
        Ok(Self {
            product,
            proxy,
            cluster,
            mails,
            client,
            mail_patience: Duration::from_secs(3),
            database,
            storage_disk,
            _mounts: mounts,
            folder,
        })
    }

    /// Whether the next fault may reuse it.
    pub async fn is_well(&mut self) -> bool {
        self.product.exited().is_none() && recovery(&self.client, Duration::from_secs(5)).await.is_some()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A superuser connection that bypasses the proxy.
    ///
    /// # Errors
    /// When the database does not respond.
    pub async fn sql(&self) -> anyhow::Result<Sql> {
        reader::connect(&self.database).await
    }

    /// The process id of the database server.
    ///
    /// # Errors
    /// When the database does not respond.
    pub async fn postmaster(&self) -> anyhow::Result<u32> {
        let row = self.sql().await?.query_one("select pg_read_file('postmaster.pid')", &[]).await?;
        let text: String = row.try_get(0)?;
        text.lines().next().and_then(|pid| pid.trim().parse().ok()).context("postmaster.pid")
    }

    /// # Errors
    /// When this stage has none.
    pub fn proxy(&self) -> anyhow::Result<&FaultyProxy> {
        self.proxy.as_ref().context("a stage with a proxy")
    }

    /// # Errors
    /// When this stage has none.
    pub fn cluster(&mut self) -> anyhow::Result<&mut Cluster> {
        self.cluster.as_mut().context("a stage with a separate PostgreSQL")
    }

    /// Injects a fault under load: `inject`, wait, `remove`, and wait until every service responds normally. Then
    /// checks the acknowledged writes.
    ///
    /// # Errors
    /// When the fault can't be injected.
    pub async fn observe(
        &mut self,
        hold: Duration,
        inject: impl AsyncFnOnce(&mut Self) -> anyhow::Result<()>,
        remove: impl AsyncFnOnce(&mut Self) -> anyhow::Result<()>,
    ) -> anyhow::Result<Outcome> {
        let load = Load::start(&self.client, &Kind::ALL);
        tokio::time::sleep(QUIET).await;
        let began = Instant::now();
        let mut outcome = Outcome { began: Some(began), ..Outcome::default() };
        let produced = async {
            inject(self).await.context("injecting the fault")?;
            tokio::time::sleep(hold).await;
            remove(self).await.context("removing the fault")
        };
        let produced = produced.await;
        let ended = self.product.exited();
        if produced.is_ok() && ended.is_none() {
            outcome.recovered = recovery(&self.client, RECOVERY_TIMEOUT).await;
            tokio::time::sleep(AFTERWARDS).await;
        }
        // Includes requests that began before the fault and were interrupted by it.
        outcome.samples = load.stop().await;
        outcome.samples.retain(|sample| sample.began + sample.took >= began);
        let ledger = std::mem::take(&mut *self.client.ledger.lock().unwrap_or_else(PoisonError::into_inner));
        produced?;
        if let Some(ended) = ended.or_else(|| self.product.exited()) {
            outcome.broken.push(ended);
            // Restart it like a supervisor would: acknowledged writes must survive that as well.
            self.product.start_again().await.context("restarting it")?;
            outcome.note("measured after a restart by the harness");
        } else if outcome.recovered.is_none() {
            let limit = RECOVERY_TIMEOUT.as_secs();
            outcome.broken.push(format!("not every service recovered within {limit} s"));
            // Data that can't be reached is not necessarily lost.
            self.product.kill().await?;
            self.product.start_again().await.context("restarting it")?;
        }
        let kept = kept::look_up(ledger, &self.database, &self.client, &self.mails, self.mail_patience).await;
        match kept {
            Ok(kept) => outcome.kept = kept,
            Err(error) => outcome.broken.push(format!("{error:#}")),
        }
        Ok(outcome)
    }

    /// The product's resident memory, in MB.
    pub fn memory(&self) -> u64 {
        system::resident_mb(self.product.pid())
    }
}
