//! The environment of a fault: the product, its database, its mail server and its clients.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use test_support::cluster::Cluster;
use test_support::faulty_proxy::FaultyProxy;
use tokio_postgres::Client as Sql;

use super::Options;
use super::client::Client;
use super::load::recovery;
use super::mail_server::MailServer;
use super::product::{Log, Product, Setup};
use super::system::{Mount, Unavailable};
use crate::reader;

/// What a fault runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// `serasi up` with its defaults.
    Embedded,
    /// An external PostgreSQL behind a proxy; so are the following ones.
    External,
    /// Not used by earlier faults, whose memory would count.
    Fresh,
    FewDescriptors,
    /// The log is a pipe, or on a small disk.
    LogPipe,
    LogDisk,
    /// Pictures are on a small disk, or below a mount.
    SmallStorage,
    MountedStorage,
    /// serasi has a clock of its own.
    Clock,
    /// Embedded, on a small disk.
    SmallDisk,
    /// Embedded, so both have a clock of their own.
    BothClocks,
}

impl On {
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Embedded | Self::External)
    }

    fn is_external(self) -> bool {
        !matches!(self, Self::Embedded | Self::SmallDisk | Self::BothClocks)
    }
}

/// Fields are dropped in this order.
pub struct Stage {
    pub product: Product,
    proxy: Option<FaultyProxy>,
    cluster: Option<Cluster>,
    pub mails: MailServer,
    pub client: Arc<Client>,
    pub database: String,
    postmaster: String,
    _mounts: Vec<Mount>,
    folder: tempfile::TempDir,
}

/// What the fault needs before the product starts.
struct Surroundings {
    env: HashMap<&'static str, String>,
    mounts: Vec<Mount>,
    log: Log,
}

impl Surroundings {
    async fn new(on: On, options: &Options, folder: &Path) -> anyhow::Result<Self> {
        let path = |name: &str| folder.join(name);
        let mut env = HashMap::new();
        let mut mounts = Vec::new();
        let mut log = Log::File(path("serasi.log"));
        match on {
            On::SmallDisk => mounts.push(Mount::tmpfs(&path("data"), 320).await?),
            On::SmallStorage => {
                mounts.push(Mount::tmpfs(&path("disk"), 16).await?);
                env.insert("STORAGE_DIR", path("disk/storage").display().to_string());
            }
            On::MountedStorage => {
                std::fs::create_dir_all(path("data/storage.real"))?;
                mounts.push(Mount::bind(&path("data/storage.real"), &path("data/storage")).await?);
                env.insert("STORAGE_DIR", path("data/storage").display().to_string());
            }
            On::LogPipe => {
                log = Log::Pipe;
                // Enough to fill a pipe within a second.
                env.insert("RUST_LOG", "debug".to_owned());
            }
            On::LogDisk => {
                mounts.push(Mount::tmpfs(&path("disk"), 1).await?);
                log = Log::File(path("disk/serasi.log"));
                env.insert("RUST_LOG", "info".to_owned());
            }
            On::Clock | On::BothClocks => env.extend(clock(options, &path("clock"))?),
            On::Embedded | On::External | On::Fresh | On::FewDescriptors => {}
        }
        Ok(Self { env, mounts, log })
    }
}

impl Stage {
    /// # Errors
    /// When it can't be set up, with [`Unavailable`] if this machine doesn't support it.
    pub async fn start(options: &Options, on: On) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("serasi-faults-").tempdir()?;
        // PostgreSQL runs as another account.
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let path = |name: &str| folder.path().join(name);
        let mails = MailServer::start()?;
        let Surroundings { mut env, mounts, log } = Surroundings::new(on, options, folder.path()).await?;
        env.insert("SMTP_URL", mails.url());
        let cluster = on.is_external().then(|| Cluster::start_from(options.postgresql.clone()));
        let address = cluster.as_ref().map(|cluster| SocketAddr::from((Ipv4Addr::LOCALHOST, cluster.port())));
        let proxy = match address {
            Some(address) => Some(FaultyProxy::start(address).await),
            None => None,
        };
        let url = |address: SocketAddr| format!("postgres://postgres@{address}/postgres");
        env.extend(proxy.as_ref().map(|proxy| ("DATABASE_URL", url(proxy.address()))));
        let descriptors = (on == On::FewDescriptors).then_some(200);
        let setup = Setup { program: options.serasi.clone(), data_dir: path("data"), env, log, descriptors };
        let product = Product::start_with(setup).await?;
        let settings = product.settings().await?;
        let setting = |name: &str| settings.get(name).cloned().with_context(|| format!("no {name}"));
        let database = address.map_or_else(|| setting("DB_URL"), |address| Ok(url(address)))?;
        let client = Client::new(product.url(), setting("ANON_KEY")?, setting("SERVICE_ROLE_KEY")?).await?;
        let mut stage = Self {
            product,
            proxy,
            cluster,
            mails,
            client,
            database,
            postmaster: String::new(),
            _mounts: mounts,
            folder,
        };
        stage.find_postmaster().await?;
        Ok(stage)
    }

    /// Whether the next fault may reuse it.
    pub async fn is_well(&mut self) -> bool {
        self.product.exited().is_none()
            && recovery(&self.client, Duration::from_secs(5)).await.is_some()
            && self.find_postmaster().await.is_ok()
    }

    async fn find_postmaster(&mut self) -> anyhow::Result<()> {
        let row = self
            .sql()
            .await?
            .query_one("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)", &[])
            .await?;
        self.postmaster = row.try_get(0)?;
        Ok(())
    }

    /// A superuser connection that bypasses the proxy.
    ///
    /// # Errors
    /// When the database does not respond.
    pub async fn sql(&self) -> anyhow::Result<Sql> {
        reader::connect(&self.database).await
    }

    /// What the functions of `acts.sh` use.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let path = |path: PathBuf| path.display().to_string();
        let data = self.folder.path().join("data");
        vec![
            ("DB", self.database.clone()),
            ("POSTGRES", self.postmaster.clone()),
            ("SERASI", self.product.pid().to_string()),
            ("STORAGE", path(data.join("storage"))),
            ("DATA", path(data)),
            ("DISK", path(self.folder.path().join("disk"))),
            ("CLOCK", path(self.folder.path().join("clock"))),
        ]
    }

    /// # Errors
    /// When this stage has none.
    pub fn proxy(&self) -> anyhow::Result<&FaultyProxy> {
        self.proxy.as_ref().context("a stage with a proxy")
    }

    /// Stops or starts the separate PostgreSQL, while clients go on.
    ///
    /// # Errors
    /// When this stage has none.
    pub async fn on_cluster(&mut self, act: fn(&mut Cluster)) -> anyhow::Result<()> {
        let mut cluster = self.cluster.take().context("a stage with a separate PostgreSQL")?;
        let acted = tokio::task::spawn_blocking(move || {
            act(&mut cluster);
            cluster
        });
        self.cluster = Some(acted.await?);
        Ok(())
    }
}

/// Variables that give a process the clock in a file. An embedded PostgreSQL inherits them.
fn clock(options: &Options, file: &PathBuf) -> anyhow::Result<Vec<(&'static str, String)>> {
    let library = options.faketime.as_ref().ok_or(Unavailable("needs libfaketime"))?;
    std::fs::write(file, "+0s\n")?;
    Ok(vec![
        ("LD_PRELOAD", library.display().to_string()),
        ("FAKETIME_TIMESTAMP_FILE", file.display().to_string()),
        ("FAKETIME_CACHE_DURATION", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ("DONT_FAKE_MONOTONIC", "1".to_owned()),
    ])
}
