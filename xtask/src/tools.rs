//! Tools that the tests need besides Rust and Node. They are installed automatically for root on Debian;
//! elsewhere an error says what to install.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};

use crate::run;

/// Chromium for measurements: `CHROMIUM_PATH`, or the usual locations.
///
/// # Errors
/// When there is none and it can't be installed.
pub fn chromium() -> anyhow::Result<PathBuf> {
    if let Some(path) = browser(&BROWSERS) {
        return Ok(path);
    }
    install(&["chromium"], "install Chromium, or name one in CHROMIUM_PATH")?;
    browser(&BROWSERS)
        .context("Chromium was installed but is not where it is expected: name it in CHROMIUM_PATH")
}

/// Chromium for tests, preferably the headless shell: the same engine without a window, with 40 % less CPU time.
///
/// # Errors
/// When there is no Chromium and it can't be installed.
pub fn headless_chromium() -> anyhow::Result<PathBuf> {
    if let Some(path) = browser(&[HEADLESS]) {
        return Ok(path);
    }
    match install(&["chromium-headless-shell"], "") {
        Ok(()) => browser(&[HEADLESS]).map_or_else(chromium, Ok),
        Err(_) => chromium(),
    }
}

const HEADLESS: &str = "/usr/bin/chromium-headless-shell";
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

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
    if pgtap_file().is_none() || !psql_runs() {
        install(
            &["postgresql-client-15", "postgresql-15-pgtap"],
            "install psql and pgTAP (Debian: postgresql-client-15 postgresql-15-pgtap)",
        )?;
    }
    pgtap_file().context("pgTAP was installed but pgtap--<version>.sql is not below /usr/share/postgresql")
}

/// psql, which the API guide uses.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn psql() -> anyhow::Result<()> {
    if !psql_runs() {
        install(&["postgresql-client-15"], "install psql (Debian: postgresql-client-15)")?;
    }
    Ok(())
}

fn psql_runs() -> bool {
    run::command("psql").arg("--version").stdout(Stdio::null()).status().is_ok()
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

/// Where Debian puts the programs of PostgreSQL 15.
pub const POSTGRESQL_15: &str = "/usr/lib/postgresql/15/bin";

/// Folder with the programs of PostgreSQL 15, the oldest supported version. On Debian the pgTAP package
/// installs it.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn postgresql_15() -> anyhow::Result<PathBuf> {
    let programs = PathBuf::from(POSTGRESQL_15);
    if !programs.join("initdb").is_file() {
        install(&["postgresql-15"], "install PostgreSQL 15 (Debian: postgresql-15)")?;
    }
    Ok(programs)
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
    if !answers("wrk", "-v") {
        install(&["wrk"], "install wrk (Debian: wrk)")?;
    }
    Ok(())
}

/// nginx, which Debian does not put into every user's path.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn nginx() -> anyhow::Result<PathBuf> {
    let find = || {
        let known = ["nginx", "/usr/sbin/nginx"].into_iter();
        known.map(PathBuf::from).find(|program| answers(&program.display().to_string(), "-v"))
    };
    if find().is_none() {
        install(&["nginx-light"], "install nginx (Debian: nginx-light)")?;
    }
    find().context("nginx was installed but can't be started")
}

/// Prometheus' promtool, which tests the alert rules.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn promtool() -> anyhow::Result<()> {
    if !answers("promtool", "--version") {
        install(&["prometheus"], "install promtool (Debian: prometheus)")?;
    }
    Ok(())
}

fn answers(program: &str, version: &str) -> bool {
    run::command(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A python3 with venv and pip. The mail tests install an SMTP server with it.
///
/// # Errors
/// When it is missing and can't be installed.
pub fn python() -> anyhow::Result<()> {
    let is_complete = || {
        let mut check = run::command("python3");
        check.args(["-c", "import venv, ensurepip, pip"]).stdout(Stdio::null()).stderr(Stdio::null());
        check.status().is_ok_and(|status| status.success())
    };
    if !is_complete() {
        install(
            &["python3-venv", "python3-pip"],
            "install python3 with venv and pip (Debian: python3-venv python3-pip)",
        )?;
    }
    Ok(())
}

/// HAProxy and nginx, for the request smuggling tests.
///
/// # Errors
/// When one is missing and can't be installed.
pub fn proxies() -> anyhow::Result<()> {
    let is_there = |program: &str| {
        let mut version = run::command(program);
        version.arg("-v").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok() || Path::new("/usr/sbin").join(program).is_file()
    };
    if !["haproxy", "nginx"].into_iter().all(is_there) {
        install(&["haproxy", "nginx-light"], "install HAProxy and nginx (Debian: haproxy nginx-light)")?;
    }
    Ok(())
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
    let program = PathBuf::from(chosen.as_deref().unwrap_or("/usr/sbin/pgbouncer"));
    if !program.is_file() {
        install(&["pgbouncer"], "install PgBouncer (Debian: pgbouncer), or name it in PGBOUNCER")?;
    }
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
    let find = || {
        let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
        let mut libraries = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
        libraries.find(|library| library.is_file())
    };
    if find().is_none() {
        install(&["libfaketime"], "install libfaketime (Debian: libfaketime)")?;
    }
    find().context("libfaketime was installed but libfaketimeMT.so.1 is not below /usr/lib")
}

fn pgtap_file() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/share/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("extension")));
    let mut files: Vec<PathBuf> = folders
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| is_whole_pgtap(path))
        .collect();
    files.sort();
    files.pop()
}

/// Matches `pgtap--1.2.0.sql`, but not an upgrade script such as `pgtap--1.1.0--1.2.0.sql`.
fn is_whole_pgtap(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_prefix("pgtap--")
        .and_then(|rest| rest.strip_suffix(".sql"))
        .is_some_and(|version| !version.contains("--"))
}

pub fn is_root() -> bool {
    run::command("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

pub fn is_installed(program: &str) -> bool {
    let mut command = run::command(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn install(packages: &[&str], otherwise: &str) -> anyhow::Result<()> {
    if !is_root() || !Path::new("/usr/bin/apt-get").exists() {
        bail!("{otherwise}");
    }
    println!("installing {}", packages.join(", "));
    for arguments in
        [&["update", "--quiet"][..], &["install", "--yes", "--quiet", "--no-install-recommends"][..]]
    {
        let mut command = run::command("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        if arguments[0] == "install" {
            command.args(packages);
        }
        run::must(&mut command).context(otherwise.to_owned())?;
    }
    Ok(())
}
