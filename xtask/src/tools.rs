//! Tools that the tests need besides Rust and Node. They are installed automatically for root on Debian;
//! elsewhere an error says what to install.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};

use crate::run;

const HEADLESS: &str = "/usr/bin/chromium-headless-shell";
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/// Where Debian puts the programs of PostgreSQL 15.
pub const POSTGRESQL_15: &str = "/usr/lib/postgresql/15/bin";

/// Chromium for measurements: `CHROMIUM_PATH`, or the usual locations.
///
/// # Errors
/// When there is none and it can't be installed.
pub fn chromium() -> anyhow::Result<PathBuf> {
    found("Chromium (or name one in CHROMIUM_PATH)", &["chromium"], || browser(&BROWSERS))
}

/// Chromium for tests, preferably the headless shell: the same engine without a window, with 40 % less CPU time.
///
/// # Errors
/// When there is no Chromium and it can't be installed.
pub fn headless_chromium() -> anyhow::Result<PathBuf> {
    found("Chromium", &["chromium-headless-shell"], || browser(&[HEADLESS])).or_else(|_| chromium())
}

/// The developer's choice, or the first of these that exists.
#[expect(clippy::disallowed_methods, reason = "a developer's own setting, not the product's")]
fn browser(known: &[&str]) -> Option<PathBuf> {
    let chosen = std::env::var("CHROMIUM_PATH").ok();
    chosen.as_deref().into_iter().chain(known.iter().copied()).map(PathBuf::from).find(|path| path.is_file())
}

/// Finds pgTAP as a single SQL file, and makes sure that psql is available.
///
/// # Errors
/// When either is missing and can't be installed.
pub fn pgtap() -> anyhow::Result<PathBuf> {
    psql()?;
    found("pgTAP", &["postgresql-15-pgtap"], pgtap_file)
}

/// psql, which the API guide uses.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn psql() -> anyhow::Result<()> {
    need("psql", "--version", "postgresql-client-15")
}

/// psql, pg_dump and pg_restore of PostgreSQL 18, where `serasi` in a checkout looks for them.
///
/// # Errors
/// When pip is missing or fails.
pub fn clients() -> anyhow::Result<()> {
    python()?;
    let postgres = run::root().join("db/postgres");
    let folder = postgres.join("clients");
    if std::fs::read(folder.join("installed")).ok() == Some(std::fs::read(postgres.join("clients.txt"))?) {
        return Ok(());
    }
    let _ = std::fs::remove_dir_all(&folder);
    download_clients(&folder, None)
}

/// `platform`: pip's name, such as `manylinux_2_28_aarch64`.
///
/// # Errors
/// See [`clients`].
pub fn download_clients(folder: &Path, platform: Option<&str>) -> anyhow::Result<()> {
    let mut python = run::command("python3");
    run::must(python.arg("db/postgres/clients.py").arg(folder).args(platform)).map(drop)
}

/// Folder with the programs of PostgreSQL 15, the oldest supported version. On Debian the pgTAP package
/// installs it.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn postgresql_15() -> anyhow::Result<PathBuf> {
    let programs = || Some(PathBuf::from(POSTGRESQL_15)).filter(|programs| programs.join("initdb").is_file());
    found("PostgreSQL 15", &["postgresql-15"], programs)
}

/// pgbench of PostgreSQL 15 or later, and wrk. The embedded PostgreSQL has no pgbench.
///
/// # Errors
/// When one is missing and can't be installed.
pub fn load_generators() -> anyhow::Result<PathBuf> {
    wrk()?;
    if answers("pgbench", "--version") { Ok("pgbench".into()) } else { Ok(postgresql_15()?.join("pgbench")) }
}

/// # Errors
/// When it is missing and can't be installed.
pub fn wrk() -> anyhow::Result<()> {
    need("wrk", "-v", "wrk")
}

/// nginx, which Debian does not put into every user's path.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn nginx() -> anyhow::Result<PathBuf> {
    let known =
        || ["nginx", "/usr/sbin/nginx"].into_iter().find(|program| answers(program, "-v")).map(PathBuf::from);
    found("nginx", &["nginx-light"], known)
}

/// Prometheus' promtool, which tests the alert rules.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn promtool() -> anyhow::Result<()> {
    need("promtool", "--version", "prometheus")
}

/// A python3 with venv and pip. The mail tests install an SMTP server with it.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn python() -> anyhow::Result<()> {
    let mut check = run::command("python3");
    check.args(["-c", "import venv, ensurepip, pip"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut is_complete = || check.status().is_ok_and(|status| status.success()).then_some(());
    found("python3 with venv and pip", &["python3-venv", "python3-pip"], &mut is_complete)
}

/// HAProxy and nginx, for the request smuggling tests.
///
/// # Errors
/// When one is missing and can't be installed.
pub fn proxies() -> anyhow::Result<()> {
    nginx()?;
    let haproxy = || ["haproxy", "/usr/sbin/haproxy"].into_iter().find(|program| answers(program, "-v"));
    found("HAProxy", &["haproxy"], haproxy).map(drop)
}

/// An installed PgBouncer.
pub struct Pooler {
    pub program: PathBuf,
    /// Whether it is version 1.21 or later.
    pub follows_statements: bool,
}

/// The program in `PGBOUNCER`, or the installed one.
///
/// # Errors
/// When it is missing and can't be installed.
#[expect(clippy::disallowed_methods, reason = "a developer's own setting, not the product's")]
pub fn pooler() -> anyhow::Result<Pooler> {
    let chosen = std::env::var("PGBOUNCER").ok();
    let chosen = PathBuf::from(chosen.as_deref().unwrap_or("/usr/sbin/pgbouncer"));
    let program = found("PgBouncer (or name it in PGBOUNCER)", &["pgbouncer"], || {
        chosen.is_file().then(|| chosen.clone())
    })?;
    let said = run::command(&program.display().to_string()).arg("--version").output();
    let said = said.with_context(|| format!("{} can't be started", program.display()))?;
    let follows_statements = version(&String::from_utf8_lossy(&said.stdout)) >= Some((1, 21));
    Ok(Pooler { program, follows_statements })
}

/// The first two numbers of `PgBouncer 1.18.0`.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut parts = said.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The program in `GARAGE`, or the one that `cargo xtask test containers` compiled. It may be missing.
pub fn garage() -> PathBuf {
    std::env::var_os("GARAGE").map_or_else(|| run::root().join("target/containers/bin/garage"), PathBuf::from)
}

/// libfaketime, which gives a process its own clock.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn faketime() -> anyhow::Result<PathBuf> {
    let library = || {
        let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
        let mut libraries = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
        libraries.find(|library| library.is_file())
    };
    found("libfaketime", &["libfaketime"], library)
}

/// `pgtap--1.2.0.sql`, but not an upgrade script such as `pgtap--1.1.0--1.2.0.sql`.
fn pgtap_file() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/share/postgresql").ok()?.flatten();
    let folders = versions.filter_map(|version| std::fs::read_dir(version.path().join("extension")).ok());
    let files = folders.flatten().flatten().map(|file| file.path());
    let is_whole = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let version = name.strip_prefix("pgtap--").and_then(|rest| rest.strip_suffix(".sql"));
        version.is_some_and(|version| !version.contains("--"))
    };
    files.filter(is_whole).max()
}

pub fn is_root() -> bool {
    run::command("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether a program can be started with this option.
pub fn answers(program: &str, version: &str) -> bool {
    run::command(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A program of a package with another name.
fn need(program: &str, version: &str, package: &str) -> anyhow::Result<()> {
    found(program, &[package], || answers(program, version).then_some(()))
}

/// What `find` returns, if necessary after installing Debian's packages.
fn found<T>(what: &str, packages: &[&str], mut find: impl FnMut() -> Option<T>) -> anyhow::Result<T> {
    if let Some(found) = find() {
        return Ok(found);
    }
    let missing = format!("install {what} (Debian: {})", packages.join(" "));
    if !is_root() || !Path::new("/usr/bin/apt-get").exists() {
        bail!("{missing}");
    }
    println!("installing {}", packages.join(", "));
    for arguments in [&["update"][..], &[&["install", "--yes", "--no-install-recommends"], packages].concat()]
    {
        let mut command = run::command("apt-get");
        command.args(arguments).arg("--quiet").env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        run::must(&mut command).context(missing.clone())?;
    }
    find().with_context(|| format!("{what} was installed, but is not where it is expected"))
}
