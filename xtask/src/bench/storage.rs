//! Measures the image storage as the images contain it, compared with nginx, with copying files and with the
//! image library.

use clap::Args;

use super::pass_on;
use crate::build::Build;
use crate::server::{Server, free_port};
use crate::{run, tools};

/// A quick run.
const QUICK: [&str; 2] = ["--rounds=2", "--seconds=2"];

#[derive(Args)]
pub struct Storage {
    /// Two rounds of two seconds each
    #[arg(long, conflicts_with_all = ["rounds", "seconds"])]
    quick: bool,
    /// Measure only these: reading, uploads, rendering, cards, separated by commas
    #[arg(long, value_name = "PARTS")]
    only: Option<String>,
    /// How often to alternate; the medians count
    #[arg(long, value_name = "N")]
    rounds: Option<String>,
    /// Length of each measurement
    #[arg(long)]
    seconds: Option<String>,
    /// Folder for all output of wrk
    #[arg(long, value_name = "FOLDER")]
    raw: Option<String>,
    /// More options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When a tool is missing, the server does not start or a limit is broken.
pub fn run(options: &Storage) -> anyhow::Result<()> {
    tools::wrk()?;
    let nginx = tools::nginx()?;
    let server = Server::start_build(Build::Dist, &["--api-only", "--no-demo"])?;
    let mut bench = server.build.command("bench");
    bench.args(["storage", "--url", &server.url, "--pid", &server.process_id().to_string()]);
    bench.arg("--data-dir").arg(server.data_dir()).arg("--nginx").arg(nginx);
    bench.args(["--nginx-port", &free_port()?.to_string()]);
    if options.quick {
        bench.args(QUICK);
    }
    let all = [
        ("--only", &options.only),
        ("--rounds", &options.rounds),
        ("--seconds", &options.seconds),
        ("--raw", &options.raw),
    ];
    bench.args(all.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?))));
    pass_on(&mut bench, &server, &["DB_URL", "SERVICE_ROLE_KEY"])?;
    run::must(bench.args(&options.options))?;
    Ok(())
}
