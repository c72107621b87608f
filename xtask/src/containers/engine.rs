//! Docker with the real images, or Podman with images made from Debian's packages where no registry is reachable.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use super::deployment::Deployment;
use crate::build::Build;
use crate::{frontend, run, tools};

pub const IMAGE: &str = "serasi";
const DATABASE_IMAGE: &str = "serasi-database";
const MISSING: &str = "install Docker with Compose, or on Debian as root: apt-get install \
                       --no-install-recommends podman runc conmon netavark aardvark-dns iptables nftables debootstrap";
/// Garage is compiled for its stand-in.
const GARAGE: [&str; 8] = [
    "install",
    "garage",
    "--version",
    "2.5.0",
    "--locked",
    "--no-default-features",
    "--features",
    "bundled-libs,sqlite",
];

pub enum Engine {
    Docker,
    Podman(Podman),
}

pub struct Podman {
    /// Files for the stand-in images and Compose: `bin/…` and `pages`.
    folder: PathBuf,
}

impl Engine {
    /// # Errors
    /// When neither is installed.
    pub fn find() -> anyhow::Result<Self> {
        if succeeds(run::command("docker").arg("info"))
            && succeeds(run::command("docker").args(["compose", "version"]))
        {
            return Ok(Self::Docker);
        }
        let has_podman = ["podman", "runc", "iptables", "debootstrap"]
            .iter()
            .all(|program| tools::answers(program, "--version"));
        ensure!(has_podman && tools::is_root(), "{MISSING}");
        let folder = run::root().join("target/containers");
        fs::create_dir_all(folder.join("bin"))?;
        Ok(Self::Podman(Podman { folder }))
    }

    pub fn program(&self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Podman(_) => "podman",
        }
    }

    pub fn command(&self) -> Command {
        let mut command = run::command(self.program());
        command.envs(self.environment());
        command
    }

    /// Environment variables for commands that call the engine's program.
    pub fn environment(&self) -> Option<(&'static str, PathBuf)> {
        matches!(self, Self::Podman(_)).then(|| ("CONTAINERS_CONF", settings()))
    }

    /// # Errors
    /// When an image can't be built.
    pub fn make_images(&self, deployment: Deployment) -> anyhow::Result<()> {
        match self {
            Self::Docker => {
                run::must(self.command().args(["build", "--target", IMAGE, "--tag", IMAGE, "."]))?;
                if deployment == Deployment::HighlyAvailable {
                    run::must(self.command().args(["build", "--tag", DATABASE_IMAGE, "deploy/ha"]))?;
                }
                Ok(())
            }
            Self::Podman(podman) => podman.make_images(deployment),
        }
    }

    /// The image's size in bytes on disk.
    ///
    /// # Errors
    /// When there is no image.
    pub fn image_size(&self) -> anyhow::Result<u64> {
        let output = self.command().args(["image", "inspect", IMAGE, "--format", "{{.Size}}"]).output()?;
        String::from_utf8_lossy(&output.stdout).trim().parse().context("the image's size is unknown")
    }

    /// Compose, and the processes that it needs.
    ///
    /// # Errors
    /// When Podman's API can't be started.
    pub fn compose(&self) -> anyhow::Result<Compose> {
        match self {
            Self::Docker => Ok(Compose { program: vec!["docker".into(), "compose".into()], service: None }),
            Self::Podman(podman) => Ok(Compose {
                program: vec![podman.folder.join("bin/docker-compose")],
                service: Some(PodmanService::start(&podman.folder)?),
            }),
        }
    }
}

impl Podman {
    fn make_images(&self, deployment: Deployment) -> anyhow::Result<()> {
        let programs = self.folder.join("bin");
        if !programs.join("garage").is_file() {
            println!("compiling Garage, once: about 20 minutes");
            let mut cargo = run::command("cargo");
            cargo
                .args(GARAGE)
                .arg("--root")
                .arg(&self.folder)
                .env("CARGO_TARGET_DIR", self.folder.join("garage"));
            run::must(&mut cargo)?;
            fs::remove_dir_all(self.folder.join("garage"))?;
        }
        // Uses the build of the other tests. An optimized build is smaller.
        Build::Development.make()?;
        fs::copy(Build::Development.path("serasi"), programs.join("serasi"))?;
        run::must(frontend::npm().args(["run", "--silent", "build"]))?;
        let pages = self.folder.join("pages");
        let _ = fs::remove_dir_all(&pages);
        run::must(run::command("cp").arg("-a").arg(run::root().join("frontend/dist")).arg(&pages))?;
        tools::clients()?;
        let mut images = run::command("deploy/stand-ins/images.sh");
        images.arg(&self.folder).env("CONTAINERS_CONF", settings());
        if deployment == Deployment::HighlyAvailable {
            images.arg("ha");
        }
        run::must(&mut images).map(drop)
    }
}

pub struct Compose {
    program: Vec<PathBuf>,
    service: Option<PodmanService>,
}

impl Compose {
    pub fn command(&self) -> Command {
        let mut command = run::command(&self.program[0].display().to_string());
        command.args(&self.program[1..]);
        if let Some(service) = &self.service {
            command.env("DOCKER_HOST", format!("unix://{}", service.socket.display()));
        }
        command
    }
}

/// Podman's API, and its health checks, which Podman otherwise runs with systemd. Ends when dropped.
struct PodmanService {
    api: Child,
    socket: PathBuf,
    stop: Arc<AtomicBool>,
    checking: Option<JoinHandle<()>>,
}

impl PodmanService {
    fn start(folder: &Path) -> anyhow::Result<Self> {
        let socket = folder.join("podman.sock");
        let mut service = run::command("podman");
        service.args(["system", "service", "--time=0"]).arg(format!("unix://{}", socket.display()));
        service.env("CONTAINERS_CONF", settings()).stderr(Stdio::null());
        let api = service.spawn().context("podman can't be started")?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let checking = thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                check_health();
                thread::sleep(Duration::from_secs(1));
            }
        });
        let service = Self { api, socket, stop, checking: Some(checking) };
        for _ in 0..100 {
            if service.socket.exists() {
                return Ok(service);
            }
            thread::sleep(Duration::from_millis(50));
        }
        bail!("podman's API did not start")
    }
}

impl Drop for PodmanService {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(checking) = self.checking.take() {
            let _ = checking.join();
        }
        let _ = self.api.kill();
        let _ = self.api.wait();
        let _ = fs::remove_file(&self.socket);
    }
}

fn check_health() {
    let podman = || {
        let mut podman = run::command("podman");
        podman.env("CONTAINERS_CONF", settings()).stderr(Stdio::null());
        podman
    };
    let Ok(starting) = podman().args(["ps", "--quiet", "--filter", "health=starting"]).output() else {
        return;
    };
    let Ok(unhealthy) = podman().args(["ps", "--quiet", "--filter", "health=unhealthy"]).output() else {
        return;
    };
    for id in [starting.stdout, unhealthy.stdout].iter().flat_map(|ids| ids.split(|byte| *byte == b'\n')) {
        if let Ok(id) = std::str::from_utf8(id)
            && !id.is_empty()
        {
            let _ = podman().args(["healthcheck", "run", id]).stdout(Stdio::null()).status();
        }
    }
}

fn settings() -> PathBuf {
    run::root().join("deploy/stand-ins/containers.conf")
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
