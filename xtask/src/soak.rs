//! `cargo xtask soak`: simulates users on a real `serasi up` with demo data.

use clap::Args;

use crate::build::Build;
use crate::fuzz::with_server;
use crate::run;

#[derive(Args)]
pub struct Soak {
    /// How many minutes to run
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Number of concurrent members
    #[arg(long, default_value_t = 3)]
    people: usize,
    /// Use the release build
    #[arg(long)]
    release: bool,
}

/// # Errors
/// When the server does not start, a request fails, or memory or file descriptors grow.
pub fn run(options: &Soak) -> anyhow::Result<()> {
    let build = Build::release_if(options.release);
    let arguments = [
        "--minutes".to_owned(),
        options.minutes.to_string(),
        "--people".to_owned(),
        options.people.to_string(),
    ];
    let (_server, mut command) = with_server(build, "soak", &arguments)?;
    run::must(&mut command)?;
    Ok(())
}
