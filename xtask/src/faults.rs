//! `cargo xtask faults`: builds the product, installs the tools, and runs every fault of `bench/src/faults`
//! once.

use anyhow::ensure;
use clap::Args;

use crate::build::Build;
use crate::{run, tools};

#[derive(Args)]
pub struct Faults {
    /// Run only these faults, by name or prefix
    names: Vec<String>,
    /// List the faults
    #[arg(long)]
    list: bool,
    /// Print the results as a Markdown table, for docs/reliability.md
    #[arg(long)]
    markdown: bool,
    /// Print the outcomes of each kind of request
    #[arg(long)]
    details: bool,
    /// Use the release build instead of the development build
    #[arg(long)]
    release: bool,
}

/// # Errors
/// When a limit is exceeded, or a fault can't be produced on this machine.
pub fn run(options: &Faults) -> anyhow::Result<()> {
    let build = Build::release_if(options.release);
    build.make()?;
    let mut bench = build.command("bench");
    bench.arg("faults").arg("--serasi").arg(build.path("serasi"));
    if options.list {
        bench.arg("--list");
    } else {
        bench.arg("--postgresql").arg(tools::postgresql_15()?);
        // Without libfaketime, the clock faults are reported as not run.
        match tools::faketime() {
            Ok(library) => {
                bench.arg("--faketime").arg(library);
            }
            Err(error) => println!("{error:#}"),
        }
    }
    for (flag, is_set) in [("--markdown", options.markdown), ("--details", options.details)] {
        if is_set {
            bench.arg(flag);
        }
    }
    let (_, within_limits) = run::captured_output(bench.arg("--").args(&options.names))?;
    ensure!(within_limits, "a fault exceeded its limits");
    Ok(())
}
