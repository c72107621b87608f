//! `serasi reset`: deletes all data of the embedded database and the uploaded pictures.

use std::fs;
use std::io::{IsTerminal, Write};

use anyhow::{Context, bail};
use clap::Args;

use crate::DataDir;
use crate::data_dir;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// Don't ask for confirmation
    #[arg(long)]
    yes: bool,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let folder = &options.data_dir.data_dir;
    if !folder.exists() {
        println!("{} does not exist.", folder.display());
        return Ok(());
    }
    let held = data_dir::DataDir::lock(folder)?;
    if !options.yes
        && !agreed(&format!("Delete every account, profile and picture in {}?", folder.display()))?
    {
        bail!("nothing was deleted");
    }
    // Delete only our own files, in case the wrong folder was given.
    for name in ["postgres", "postgres.partial", "storage"] {
        let part = held.path().join(name);
        if part.exists() {
            fs::remove_dir_all(&part).with_context(|| part.display().to_string())?;
        }
    }
    for name in ["postgres.log", "postgres.log.1", "postgres-password", "jwt-secret"] {
        let _ = fs::remove_file(held.path().join(name));
    }
    println!("Deleted. The next start creates an empty database.");
    Ok(())
}

fn agreed(question: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("`serasi reset` deletes everything: pass --yes to confirm");
    }
    print!("{question} [y/N] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
