//! The account PostgreSQL runs as. It refuses to run as root, so root has to switch: to `nobody` if that
//! account can reach all files; otherwise to a user namespace, which needs no ownership changes and works
//! below private home folders; otherwise to `nobody` with all files in a reachable folder.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use anyhow::ensure;

/// `initdb` requires an existing account.
const NOBODY: u32 = 65534;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The account that started this process.
    Caller,
    Nobody,
    Namespace,
}

impl Identity {
    /// `None` if only `nobody` remains, and can't reach the files.
    pub fn choose(binaries: &Path, data: &Path) -> Option<Self> {
        if !nix::unistd::geteuid().is_root() {
            return Some(Self::Caller);
        }
        if is_world_reachable(binaries) && is_world_reachable(data) {
            return Some(Self::Nobody);
        }
        namespaces_work().then_some(Self::Namespace)
    }

    /// Makes a command run as this identity and stop when this process ends.
    pub fn apply(self, command: &mut Command) {
        command.current_dir("/");
        // A separate process group, so that Ctrl-C only reaches this process, which stops the server
        // cleanly.
        command.process_group(0);
        if self == Self::Nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        // SAFETY: this runs in the child between fork and exec. It only makes system calls and writes three
        // files in /proc; it does not use memory that another thread could have locked.
        unsafe {
            command.pre_exec(move || {
                #[cfg(target_os = "linux")]
                {
                    if self == Self::Namespace {
                        enter_namespace()?;
                    }
                    // Must come last, because changing the user clears it. SIGINT is PostgreSQL's fast
                    // shutdown.
                    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGINT)?;
                }
                Ok(())
            });
        }
    }

    /// Changes the owner of a folder and its contents to this identity.
    ///
    /// # Errors
    /// When the ownership can't be changed.
    pub fn take_over(self, folder: &Path) -> anyhow::Result<()> {
        let owner = match self {
            Self::Nobody => NOBODY,
            Self::Namespace => 0,
            Self::Caller => return Ok(()),
        };
        let changed = Command::new("chown").arg("-Rh").arg(format!("{owner}:{owner}")).arg(folder).status();
        let is_changed = changed.is_ok_and(|status| status.success());
        ensure!(is_changed, "{} can't be given to the server", folder.display());
        Ok(())
    }
}

/// Whether an unprivileged account can traverse all parent folders.
fn is_world_reachable(path: &Path) -> bool {
    // The last folder may be private, because its owner is changed.
    path.ancestors().skip(1).all(|folder| folder.metadata().is_ok_and(|about| about.mode() & 0o001 != 0))
}

/// Tests it, because containers and some systems forbid user namespaces.
fn namespaces_work() -> bool {
    let mut probe = Command::new("/bin/true");
    Identity::Namespace.apply(&mut probe);
    probe.status().is_ok_and(|status| status.success())
}

#[cfg(target_os = "linux")]
fn enter_namespace() -> io::Result<()> {
    nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", "65534 0 1")?;
    fs::write("/proc/self/gid_map", "65534 0 1")
}
