//! `cargo xtask soak`: a real `serasi up` with demo data, used as people use it.

use clap::Args;

use crate::fuzz::with_server;
use crate::run;
use crate::server::Build;

#[derive(Args)]
pub struct Soak {
    /// For how long
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Visitors and members at once
    #[arg(long, default_value_t = 12)]
    people: usize,
    /// With the release build
    #[arg(long)]
    release: bool,
}

/// # Errors
/// When the server does not start, a request fails, or memory or descriptors grow.
pub fn run(options: &Soak) -> anyhow::Result<()> {
    let build = if options.release { Build::Release } else { Build::Development };
    let arguments = [
        "--minutes".to_owned(),
        options.minutes.to_string(),
        "--people".to_owned(),
        options.people.to_string(),
    ];
    let (server, mut command) = with_server(build, "soak", &arguments)?;
    run::must(command.arg("--data-dir").arg(server.data_dir()))?;
    Ok(())
}
