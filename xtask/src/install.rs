//! `cargo xtask test install`: a machine with systemd (systemd-nspawn) follows docs/install.md with a release.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, ensure};
use flate2::read::GzDecoder;

use crate::report::{self, Count};
use crate::{guide, run, tools};

pub const INSTALL: &str = "Install with systemd";
pub const MONITOR: &str = "Add the address for monitoring";
pub const COMMANDS: &str = "Run commands";
pub const ENCRYPT: &str = "Encrypt the backups";
pub const UPGRADE: &str = "Upgrade";
pub const REMOVE: &str = "Remove";
/// In docs/operate.md.
pub const DRILL: &str = "Disaster drill";

const JOURNEY: &str = include_str!("install/journey.sh");
const UNIT: &str = "\
[Unit]
SuccessAction=poweroff
FailureAction=poweroff
[Service]
Type=oneshot
ExecStart=/bin/bash /test/journey.sh
StandardOutput=file:/test/output
StandardError=append:/test/output
TimeoutStartSec=600
";
const MISSING: &str =
    "on Debian as root: apt-get install --no-install-recommends systemd-container debootstrap";
/// Packages that docs/install.md assumes, and those that a machine needs.
const PACKAGES: &str = "--include=systemd,systemd-sysv,dbus,curl,ca-certificates";

/// Installs the first archive and upgrades it to the second one; default: the one that `cargo xtask release` made.
///
/// # Errors
/// When a tool is missing, or a step of the page does not work.
pub fn run(archives: &[String]) -> anyhow::Result<()> {
    let began = Instant::now();
    ensure!(
        tools::is_root()
            && tools::answers("systemd-nspawn", "--version")
            && tools::answers("debootstrap", "--version"),
        "{MISSING}"
    );
    let first = archives.first().map_or_else(own_archive, |path| Ok(PathBuf::from(path)))?;
    let next = archives.get(1).map_or_else(own_archive, |path| Ok(PathBuf::from(path)))?;
    let root = debian()?;
    println!("Debian: ready after {} s", began.elapsed().as_secs());
    let folder = tempfile::tempdir()?;
    let (test, release) = (folder.path().join("test"), folder.path().join("release"));
    write_test(&test)?;
    let (release, next) = (unpack(&first, &release)?, unpack(&next, &folder.path().join("next"))?);

    let mounts = [
        bind("--bind=", &test, "/test"),
        bind("--bind-ro=", &release, "/release"),
        bind("--bind-ro=", &next, "/next"),
    ];
    let ended = boot(&root, &mounts, &test.join("console"))?;
    let output = fs::read_to_string(test.join("output")).unwrap_or_default();
    print!("{output}");
    let is_complete = ended && output.ends_with("# the end\n");
    let count: Count = report::tap(&output).or_failed(is_complete);
    if count.failed > 0 {
        for file in ["console", "journal"] {
            print!("{}", fs::read_to_string(test.join(file)).unwrap_or_default());
        }
    }
    println!("install: {} s", began.elapsed().as_secs());
    println!("{} passed, {} failed", count.passed, count.failed);
    ensure!(count.failed == 0, "{} failed", count.failed);
    Ok(())
}

/// Waits until the machine has been switched off, and returns whether it ended as expected.
fn boot(root: &Path, mounts: &[String], console: &Path) -> anyhow::Result<bool> {
    let mut machine = run::command("systemd-nspawn");
    // The machine's systemd uses control groups version 2, whatever the host uses.
    machine.env("SYSTEMD_NSPAWN_UNIFIED_HIERARCHY", "1");
    machine.args(["--quiet", "--boot", "--private-network", "--volatile=overlay"]);
    machine.arg("--machine=serasi-install").arg("--directory").arg(root).args(mounts);
    if !Path::new("/run/systemd/system").exists() {
        machine.args(["--register=no", "--keep-unit"]);
    }
    let log = File::create(console)?;
    machine.stdout(log.try_clone()?).stderr(log);
    let ended = machine.status().context("systemd-nspawn can't be started")?;
    Ok(ended.success())
}

/// A Debian system that is created once and never changed by a test.
fn debian() -> anyhow::Result<PathBuf> {
    let root = run::root().join("target/install/debian-12");
    if !root.exists() {
        println!("installing Debian 12, once");
        let partial = root.with_extension("partial");
        let _ = fs::remove_dir_all(&partial);
        fs::create_dir_all(&partial)?;
        let mut debootstrap = run::command("debootstrap");
        debootstrap.args(["--variant=minbase", PACKAGES, "bookworm"]).arg(&partial).stdout(Stdio::null());
        run::must(&mut debootstrap)?;
        fs::rename(&partial, &root)?;
    }
    let units = root.join("etc/systemd/system");
    fs::write(units.join("journey.service"), UNIT)?;
    let wanted = units.join("multi-user.target.wants/journey.service");
    if !wanted.is_symlink() {
        std::os::unix::fs::symlink("../journey.service", wanted)?;
    }
    Ok(root)
}

/// The folder from which the machine reads its input, and to which it writes its output.
fn write_test(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir(folder)?;
    let read = |page: &str| fs::read_to_string(run::root().join("docs").join(page));
    let (install, operate) = (read("install.md")?, read("operate.md")?);
    for (name, page, heading) in [
        ("install", &install, INSTALL),
        ("monitor", &install, MONITOR),
        ("commands", &install, COMMANDS),
        ("encrypt", &install, ENCRYPT),
        ("upgrade", &install, UPGRADE),
        ("remove", &install, REMOVE),
        ("drill", &operate, DRILL),
    ] {
        for (number, block) in (1..).zip(guide::blocks(page, heading)?) {
            fs::write(folder.join(format!("{name}-{number}")), block)?;
        }
    }
    fs::write(folder.join("settings"), "AUTH_RATE_LIMITS=off\n")?;
    fs::write(folder.join("journey.sh"), JOURNEY)?;
    Ok(())
}

/// The release of this version for this machine.
fn own_archive() -> anyhow::Result<PathBuf> {
    let (version, processor) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let name = format!("serasi-{version}-{processor}-linux.tar.gz");
    let archive = run::root().join("target/packages").join(name);
    ensure!(archive.is_file(), "there is no {}: run `cargo xtask release` first", archive.display());
    Ok(archive)
}

/// Returns the folder in the archive.
fn unpack(archive: &Path, to: &Path) -> anyhow::Result<PathBuf> {
    let file = File::open(archive).with_context(|| archive.display().to_string())?;
    tar::Archive::new(GzDecoder::new(file)).unpack(to).with_context(|| archive.display().to_string())?;
    let mut entries = fs::read_dir(to)?;
    let folder = entries.next().with_context(|| format!("{} is empty", archive.display()))??;
    Ok(folder.path())
}

fn bind(option: &str, from: &Path, to: &str) -> String {
    format!("{option}{}:{to}", from.display())
}
