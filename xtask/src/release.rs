//! `cargo xtask release`: one program that includes the pages, in an archive with PostgreSQL, the service units and
//! a bill of materials.

mod archive;
mod bill;
mod commit;
mod postgresql;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::{frontend, run};
use archive::Archive;
use commit::Commit;

#[derive(Args)]
pub struct Release {
    /// The platform, such as aarch64-unknown-linux-gnu; default: this machine's
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// The folder for the archive, its checksum and the bill of materials
    #[arg(long, value_name = "DIR", default_value = "target/packages")]
    to: PathBuf,
    /// The optimization: `dist` for users; `release` compiles faster
    #[arg(long, value_name = "NAME", default_value = "dist")]
    profile: String,
}

/// The archive's files other than the program. The documents refer to the folders of `deploy`.
const FILES: [&str; 7] =
    ["README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "docs", "deploy/monitoring", "deploy/nginx"];
const UNITS: &str = "deploy/systemd";
/// All crates of the workspace have the same.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const SUMS: &str = "SHA256SUMS";

/// # Errors
/// When a build fails, or a file can't be written.
pub fn run(options: &Release) -> anyhow::Result<()> {
    let root = run::root();
    let target = options.target.clone().map_or_else(host, Ok)?;
    let platform = platform(&target)?;
    let commit = Commit::read();
    let postgres = postgresql::folder(&root, &target)?;
    let pages = build_pages(&root)?;
    let program = build_program(&root, options, &target, &pages, &commit)?;

    let name = format!("serasi-{VERSION}-{platform}");
    let bill = bill::bill(&root, VERSION, &target)?;
    let folder = root.join(&options.to);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let bill_file = folder.join(format!("{name}.cdx.json"));
    fs::write(&bill_file, serde_json::to_string_pretty(&bill)? + "\n")?;

    let file = folder.join(format!("{name}.tar.gz"));
    let mut archive = Archive::create(&file, &name, commit.seconds)?;
    archive.add(&program, "serasi", 0o755)?;
    archive.add_all(&postgres, "postgresql")?;
    for part in FILES {
        archive.add_all(&root.join(part), part)?;
    }
    archive.add_all(&root.join(UNITS), "systemd")?;
    archive.add(&bill_file, "serasi.cdx.json", 0o644)?;
    archive.finish()?;
    let sums = sums(&folder)?;
    fs::write(folder.join(SUMS), &sums)?;
    let megabytes = |path: &Path| path.metadata().map(|about| about.len() / 1_000_000).unwrap_or_default();
    println!("{}: {} MB, the program {} MB\n{sums}", file.display(), megabytes(&file), megabytes(&program));
    Ok(())
}

/// This machine's target, such as `x86_64-unknown-linux-gnu`.
fn host() -> anyhow::Result<String> {
    let output = run::command("rustc").arg("-vV").output().context("rustc can't be started")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc names no host")
}

/// The part of the archive's name, such as `x86_64-linux`.
fn platform(target: &str) -> anyhow::Result<String> {
    let mut parts = target.split('-');
    let processor = parts.next().unwrap_or_default();
    let system = match target {
        _ if target.contains("-linux-") => "linux",
        _ if target.ends_with("-apple-darwin") => "macos",
        _ => anyhow::bail!("there are no releases for {target}: Linux and macOS only"),
    };
    Ok(format!("{processor}-{system}"))
}

/// The built pages, compressed once.
fn build_pages(root: &Path) -> anyhow::Result<PathBuf> {
    frontend::install()?;
    run::must(frontend::npm().args(["run", "--silent", "build"]))?;
    Ok(root.join("frontend/dist"))
}

/// Paths of this machine are replaced, so that the same commit produces the same program on any machine.
fn build_program(
    root: &Path,
    options: &Release,
    target: &str,
    pages: &Path,
    commit: &Commit,
) -> anyhow::Result<PathBuf> {
    let mut cargo = run::command("cargo");
    cargo.args(["build", "--locked", "--package", "serasi", "--bin", "serasi"]);
    cargo.args(["--profile", &options.profile, "--target", target]);
    cargo.env("SERASI_PAGES", pages).env("SERASI_COMMIT", &commit.name);
    cargo.env("SOURCE_DATE_EPOCH", commit.seconds.to_string());
    remap_paths(&mut cargo, root)?;
    run::must(&mut cargo)?;
    let folder = if options.profile == "dev" { "debug" } else { &options.profile };
    let program = root.join("target").join(target).join(folder).join("serasi");
    ensure!(program.is_file(), "cargo built no {}", program.display());
    Ok(program)
}

fn remap_paths(cargo: &mut Command, root: &Path) -> anyhow::Result<()> {
    let home = cargo_home()?;
    let paths = [(root.display().to_string(), "/serasi"), (home, "/cargo")];
    let flags = |option: &str| {
        let flags = paths.iter().map(|(from, to)| format!("{option}={from}={to}"));
        flags.collect::<Vec<_>>().join(" ")
    };
    cargo.env("RUSTFLAGS", flags("--remap-path-prefix"));
    // For the C code of ring, mimalloc and libwebp.
    cargo.env("CFLAGS", flags("-ffile-prefix-map"));
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "cargo's own setting, not the product's")]
fn cargo_home() -> anyhow::Result<String> {
    let home = |name: &str| std::env::var(name).ok();
    let folder = home("CARGO_HOME").or_else(|| Some(format!("{}/.cargo", home("HOME")?)));
    folder.context("neither CARGO_HOME nor HOME is set")
}

/// The checksums of everything in the folder, as `sha256sum --check` reads them.
fn sums(folder: &Path) -> anyhow::Result<String> {
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = files.collect::<anyhow::Result<_>>()?;
    names.retain(|name| name != SUMS);
    names.sort();
    let mut sums = String::new();
    for name in names {
        let hash = Sha256::digest(fs::read(folder.join(&name))?);
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{hash}  {name}\n");
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_named_by_processor_and_system() {
        for (target, name) in [
            ("x86_64-unknown-linux-gnu", "x86_64-linux"),
            ("aarch64-unknown-linux-gnu", "aarch64-linux"),
            ("aarch64-apple-darwin", "aarch64-macos"),
        ] {
            assert_eq!(platform(target).unwrap(), name);
        }
        assert!(platform("x86_64-pc-windows-msvc").is_err());
    }

    #[test]
    fn checksums_cover_every_file_but_their_own() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.tar.gz", "a.cdx.json", SUMS] {
            fs::write(folder.path().join(name), "abc").unwrap();
        }
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sums(folder.path()).unwrap(), format!("{hash}  a.cdx.json\n{hash}  b.tar.gz\n"));
    }
}
