//! The environment of a fault: the product, its database, its mail server and its clients.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context;
use test_support::cluster::Cluster;
use test_support::faulty_proxy::FaultyProxy;
use tokio_postgres::Client as Sql;

use super::Options;
use super::client::Client;
use super::mail_server::MailServer;
use super::product::{Log, Product, Setup};
use super::system::shell;
use super::table::Fault;
use crate::product;

const ACTS: &str = include_str!("acts.sh");

/// Fields are dropped in this order.
pub struct Stage {
    pub product: Product,
    proxy: Option<FaultyProxy>,
    cluster: Option<Cluster>,
    pub mails: MailServer,
    pub client: Arc<Client>,
    pub database: String,
    postmaster: String,
    folder: Folder,
}

/// Everything that the product writes.
struct Folder {
    folder: tempfile::TempDir,
    faketime: String,
}

impl Folder {
    /// What the functions of `acts.sh` use.
    fn variables(&self) -> Vec<(&'static str, String)> {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        vec![
            ("STORAGE", path("data/storage")),
            ("DATA", path("data")),
            ("DISK", path("disk")),
            ("CLOCK", path("clock")),
            ("FAKETIME", self.faketime.clone()),
        ]
    }

    fn filled(&self, text: &str) -> String {
        let fill = |text: String, (name, value): (&str, String)| text.replace(&format!("${name}"), &value);
        self.variables().into_iter().fold(text.to_owned(), fill)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let folder = self.folder.path().display().to_string();
        let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
        let targets = mounts.lines().filter_map(|line| line.split(' ').nth(1));
        for target in targets.filter(|target| target.starts_with(&folder)) {
            let _ = std::process::Command::new("umount").args(["-l", target]).status();
        }
    }
}

impl Stage {
    /// # Errors
    /// When it can't be set up on this machine.
    pub async fn start(options: &Options, fault: &Fault) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("serasi-faults-").tempdir()?;
        // PostgreSQL runs as another account.
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let faketime = options.faketime.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let folder = Folder { folder, faketime };
        for line in &fault.prepare {
            shell(ACTS, line, &folder.variables()).await?;
        }
        let mails = MailServer::start().await?;
        let mut env = vec![("SMTP_URL".to_owned(), mails.url())];
        let pairs = fault.env.iter().filter_map(|pair| pair.split_once('='));
        env.extend(pairs.map(|(name, value)| (name.to_owned(), folder.filled(value))));
        let cluster = (!fault.embedded).then(|| Cluster::start_from(options.postgresql.clone()));
        let address = cluster.as_ref().map(|cluster| SocketAddr::from((Ipv4Addr::LOCALHOST, cluster.port())));
        let proxy = match address {
            Some(address) => Some(FaultyProxy::start(address).await),
            None => None,
        };
        let url = |address: SocketAddr| format!("postgres://postgres@{address}/postgres");
        env.extend(proxy.as_ref().map(|proxy| ("DATABASE_URL".to_owned(), url(proxy.address()))));
        let log = match fault.log.as_deref() {
            Some("pipe") => Log::Pipe,
            log => Log::File(
                log.map_or(folder.folder.path().join("serasi.log"), |log| folder.filled(log).into()),
            ),
        };
        let (program, data_dir) = (options.serasi.clone(), folder.folder.path().join("data"));
        let setup = Setup { program, data_dir, env, log, descriptors: fault.descriptors };
        let product = Product::start_with(setup).await?;
        let settings = product.settings().await?;
        let setting = |name: &str| settings.get(name).cloned().with_context(|| format!("no {name}"));
        let database = address.map_or_else(|| setting("DB_URL"), |address| Ok(url(address)))?;
        let client = Client::new(product.url(), setting("ANON_KEY")?, setting("SERVICE_ROLE_KEY")?).await?;
        let sql = product::connect(&database).await?;
        let postmaster = "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)";
        let postmaster = sql.query_one(postmaster, &[]).await?.try_get(0)?;
        Ok(Self { product, proxy, cluster, mails, client, database, postmaster, folder })
    }

    /// A superuser connection that bypasses the proxy.
    ///
    /// # Errors
    /// When the database does not respond.
    pub async fn sql(&self) -> anyhow::Result<Sql> {
        product::connect(&self.database).await
    }

    /// Runs a line of shell with the functions of `acts.sh`.
    ///
    /// # Errors
    /// When it fails.
    pub async fn shell(&self, line: &str) -> anyhow::Result<()> {
        let mut variables = self.folder.variables();
        variables.extend([
            ("DB", self.database.clone()),
            ("POSTGRES", self.postmaster.clone()),
            ("SERASI", self.product.pid().to_string()),
            ("READER", self.product.log_reader().to_string()),
        ]);
        shell(ACTS, line, &variables).await.map(drop)
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
