//! Measures sign-ins, token refreshes and a flood of password guesses on the build that the images contain.

use anyhow::Context;
use clap::Args;

use crate::build::Build;
use crate::run;
use crate::server::Server;

#[derive(Args)]
pub struct Auth {
    /// Options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start or a limit is broken.
pub fn run(options: &Auth) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Dist, &["--api-only"])?;
    let settings = server.settings()?;
    let key = |name: &str| settings.get(name).with_context(|| format!("`serasi status` names no {name}"));
    run::must(
        server
            .build
            .command("bench")
            .args(["auth", "--url", &server.url])
            .args(&options.options)
            .env("ANON_KEY", key("ANON_KEY")?)
            .env("SERVICE_ROLE_KEY", key("SERVICE_ROLE_KEY")?),
    )?;
    Ok(())
}
