//! `cargo xtask mutate-policies`: weakens every policy, grant, guard and constraint once, and sees whether a
//! test turns red. What can be weakened is read from the catalogue, so a new table is covered by itself.
//!
//! A mutant lives in a transaction that is rolled back: nobody else ever sees it (a role that became a
//! superuser included), nothing must be undone, and no database is copied for it.

mod catalogue;
mod databases;
mod equivalents;
mod herd;
mod journal;
mod judge;
mod policy;
mod report;
mod sql_text;
mod suite;

use anyhow::{bail, ensure};

use crate::server::Server;
use crate::tools;
use databases::Databases;
use journal::Journal;
use judge::{Verdict, judge};
use suite::{Part, Suite};

#[derive(clap::Args)]
pub struct Options {
    /// Only mutants whose name contains this; `*` stands for anything
    #[arg(long)]
    only: Option<String>,
    /// How many at the same time, each in a database of its own
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Name the mutants and what makes each, without running anything
    #[arg(long)]
    list: bool,
    /// A superuser's address on a server to work on, rather than one that is started for the purpose
    #[arg(long, env = "TEST_DATABASE_URL")]
    database_url: Option<String>,
}

/// The heading of what is granted and revoked.
const PRIVILEGES: &str = "grants";

/// One way to weaken the database.
pub struct Mutant {
    /// Under which heading it is counted.
    group: &'static str,
    /// The table, view, function or role it weakens: the tests named after it run first.
    subject: String,
    name: String,
    sql: String,
    /// Mutants of one kin may live together: none hides what another turns red. None: lives alone.
    kin: Option<String>,
}

/// # Errors
/// When a mutant survives, when the tests are red without one, or when there is nothing to run them with.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let pgtap = tools::pgtap()?;
    let (_server, url) = match &options.database_url {
        Some(url) => (None, url.clone()),
        None => {
            let server = Server::start_for_tests(&["--api-only", "--no-demo"])?;
            let url = server.database_url()?;
            (Some(server), url)
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let jobs = if options.list { 1 } else { options.jobs.max(1) };
        let databases = Databases::new(&url, jobs)?;
        let outcome = tokio::select! {
            outcome = mutate(options, &databases, &pgtap) => outcome,
            _ = tokio::signal::ctrl_c() => Err(anyhow::anyhow!("interrupted")),
        };
        databases.drop_all().await?;
        outcome
    })
}

async fn mutate(options: &Options, databases: &Databases, pgtap: &std::path::Path) -> anyhow::Result<()> {
    databases.create(pgtap).await?;
    let database = &databases.copies()[0];
    let mut mutants = catalogue::mutants(&database.url).await?;
    if let Some(pattern) = &options.only {
        mutants.retain(|mutant| equivalents::matches(&format!("*{pattern}*"), &mutant.name));
    }
    ensure!(!mutants.is_empty(), "no mutant has such a name");
    if options.list {
        for mutant in &mutants {
            println!("{}\n    {};", mutant.name, mutant.sql.replace('\n', "\n    "));
        }
        println!("{} mutants", mutants.len());
        return Ok(());
    }

    let suite = Suite::read()?;
    match judge(&database.url, &suite, &[], Part::All).await? {
        Verdict::Survived => {}
        Verdict::Killed { file, by, .. } => bail!("{file} is red without any mutant: {by}"),
        Verdict::Impossible(error) => bail!("the tests can't be run: {error}"),
    }

    databases.renew(database).await?;
    let began = std::time::Instant::now();
    let journal = Journal::open(&suite)?;
    let judged = herd::judge_all(databases, &suite, &journal, mutants).await?;
    let report = report::Report::new(&judged, began.elapsed(), options.jobs, journal.spared());
    print!("{}", report.printed());
    if options.only.is_none() {
        report.write()?;
    }
    report.verdict()
}
