//! `cargo xtask mutate-policies`: weakens every policy, grant, guard and constraint once, and checks that a
//! test fails. Mutants are generated from the catalog, so new tables are covered automatically.
//!
//! Each mutant runs in a transaction that is rolled back. So it is never visible to others, even if a role
//! becomes a superuser; nothing has to be undone, and no database has to be copied.

mod batch;
mod catalog;
mod comments;
mod databases;
mod equivalents;
mod journal;
mod judge;
mod policy;
mod psql;
mod reach;
mod report;
mod sql_text;
mod suite;
mod verdict;

use anyhow::{bail, ensure};

use crate::server::Server;
use crate::tools;
use databases::Databases;
use journal::Journal;
use judge::judge;
use reach::Reach;
use suite::{Part, Suite};
use verdict::Verdict;

#[derive(clap::Args)]
pub struct Options {
    /// Only mutants whose name contains this; `*` matches anything
    #[arg(long)]
    only: Option<String>,
    /// Number of concurrent jobs, each with its own database
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// List the mutants and their SQL without running anything
    #[arg(long)]
    list: bool,
    /// Superuser URL of an existing server to use, instead of starting one
    #[arg(long, env = "TEST_DATABASE_URL")]
    database_url: Option<String>,
}

/// Group name of grants and revokes.
const PRIVILEGES: &str = "grants";

/// One way to weaken the database.
pub struct Mutant {
    /// The group it is counted in.
    group: &'static str,
    /// The table, view, function or role it weakens. Tests named after it run first.
    subject: String,
    name: String,
    sql: String,
    /// Mutants with the same key can be applied together, because none masks the failures of another.
    /// `None` means that the mutant should run alone.
    batch_key: Option<String>,
}

/// # Errors
/// When a mutant survives, when the tests fail without a mutant, or when the tools are unavailable.
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
    let mut mutants = catalog::mutants(&database.url).await?;
    if let Some(pattern) = &options.only {
        mutants.retain(|mutant| equivalents::matches(&format!("*{pattern}*"), &mutant.name));
    }
    ensure!(!mutants.is_empty(), "no mutant matches this name");
    if options.list {
        for mutant in &mutants {
            println!("{}\n    {};", mutant.name, mutant.sql.replace('\n', "\n    "));
        }
        println!("{} mutants", mutants.len());
        return Ok(());
    }

    let mut suite = Suite::read()?;
    match judge(&database.url, &suite, &[], Part::All).await? {
        Verdict::Survived => {}
        Verdict::Killed { file, by, .. } => bail!("{file} fails without any mutant: {by}"),
        Verdict::Impossible(error) => bail!("the tests can't be run: {error}"),
    }

    databases.renew(database).await?;
    suite.order_by(Reach::measure(&database.url, &suite.script(&[], Part::Behavior, reach::PROBE)).await?);
    databases.renew(database).await?;
    let began = std::time::Instant::now();
    let journal = Journal::open(&suite)?;
    let judged = batch::judge_all(databases, &suite, &journal, mutants).await?;
    let report = report::Report::new(&judged, began.elapsed(), options.jobs, journal.spared());
    print!("{}", report.printed());
    if options.only.is_none() {
        report.write()?;
    }
    report.verdict()
}
