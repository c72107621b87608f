//! Restores the operator's tables and other objects from the dump in a backup, with the executor of the import.

use std::io::Read;

use anyhow::{Context, ensure};
use platform::http::server::stop_signal;

use super::contents::Contents;
use super::execute::Run;
use super::report::Report;
use super::schemas::Origin;
use super::session::{Fate, Session};
use super::source::Dump;
use super::tokens::Name;
use super::{IMPORT_LOCK, try_lock};
use crate::database::Database;
use crate::progress::Progress;

/// What the dump in a backup contains.
pub struct OwnTables(Contents);

impl OwnTables {
    /// Reads the whole dump without running it. `name`: for messages.
    ///
    /// # Errors
    /// When it is truncated or has statements that are not run.
    pub fn read(name: &str, dump: Box<dyn Read + Send>) -> anyhow::Result<Self> {
        Ok(Self(Contents::of_backup(Dump::of_backup(name, dump))?))
    }

    pub fn rows(&self) -> u64 {
        self.0.total_rows()
    }

    /// What a restore leaves out.
    pub fn left_out(&self) -> Report {
        Report { left: self.0.left.clone(), ..Report::default() }
    }

    /// Loads the dump into a database that has Serasi's tables.
    ///
    /// # Errors
    /// When a statement fails. The transaction is rolled back; if that is not certain, the message says so.
    pub async fn load(
        &self,
        database: &Database,
        name: &str,
        dump: Box<dyn Read + Send>,
        progress: &Progress,
    ) -> anyhow::Result<Report> {
        let mut locks = database.connect().await?;
        ensure!(
            try_lock(&mut locks, IMPORT_LOCK).await?,
            "an import into this database is running: wait until it has ended"
        );
        // From here on, an interrupted restore must revoke the role's privileges.
        let stop = tokio::spawn(stop_signal());
        let mut session = Session::begin(database, locks, Origin::Backup, &self.0).await?;
        let mut report = self.left_out();
        report.left.extend(session.missing.drain(..));
        report.adopted = self.0.adopted.iter().map(shown).collect();
        let loaded = tokio::select! {
            loaded = self.run(&mut session, Dump::of_backup(name, dump), progress) => loaded,
            _ = stop => Err(anyhow::anyhow!("interrupted")),
        };
        let (fate, ended) = session.end(loaded.is_ok()).await;
        let outcome = match fate {
            Fate::Committed => "your own tables were restored, but not everything was cleaned up",
            Fate::RolledBack => "your own tables can't be restored",
            Fate::Unknown => {
                "it is unknown whether your own tables were restored, because the database did not answer"
            }
        };
        loaded.and(ended).context(outcome)?;
        Ok(report)
    }

    async fn run(&self, session: &mut Session, dump: Dump<'_>, progress: &Progress) -> anyhow::Result<()> {
        let mut run = Run::new(&mut session.owner, &self.0, Origin::Backup);
        let bar = progress.bar("Restoring rows of your own tables", self.rows());
        run.dump(dump, &bar).await?;
        bar.finish_and_clear();
        let step = progress.step("Restoring references, triggers and policies of your own tables");
        run.finish().await?;
        run.restore_row_security().await?;
        run.on_our_tables(&mut session.locks).await?;
        step.done();
        Ok(())
    }
}

fn shown(name: &Name) -> String {
    if name.name.is_empty() { format!("schema {}", name.schema) } else { name.to_string() }
}
