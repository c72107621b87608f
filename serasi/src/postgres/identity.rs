//! As whom PostgreSQL runs. It refuses to run as root, so root has to become somebody else:
//! the account `nobody` when that can reach everything; else root's own shadow in a user namespace
//! (no file changes hands, and a home closed to others is no obstacle); else `nobody` with everything
//! moved to where it can be reached.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// An existing account: `initdb` asks for its name.
const NOBODY: u32 = 65534;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Whoever started us.
    Caller,
    Nobody,
    Namespace,
}

/// Where things lie once the identity is known.
pub struct Residence {
    pub identity: Identity,
    /// Set when binaries and data must move to a folder that `nobody` can reach.
    pub relocate_to: Option<PathBuf>,
}

impl Residence {
    /// # Errors
    /// When root has no way to become somebody else.
    pub fn choose(binaries: &Path, data: &Path) -> anyhow::Result<Self> {
        if !is_root() {
            return Ok(Self { identity: Identity::Caller, relocate_to: None });
        }
        if everybody_reaches(binaries) && everybody_reaches(data) {
            return Ok(Self { identity: Identity::Nobody, relocate_to: None });
        }
        if namespaces_work() {
            return Ok(Self { identity: Identity::Namespace, relocate_to: None });
        }
        let name = crate::postgres::address::short_hash(data);
        Ok(Self { identity: Identity::Nobody, relocate_to: Some(Path::new("/var/lib/serasi").join(name)) })
    }
}

impl Identity {
    /// Makes a command start as this identity, and stop when we do.
    pub fn apply(self, command: &mut Command) {
        command.current_dir("/");
        #[cfg(unix)]
        unix::apply(self, command);
    }

    /// Gives a folder and all in it to this identity.
    ///
    /// # Errors
    /// When ownership can't be changed.
    pub fn take_over(self, folder: &Path) -> anyhow::Result<()> {
        let owner = match self {
            Self::Caller => return Ok(()),
            Self::Nobody => NOBODY,
            Self::Namespace => 0,
        };
        #[cfg(unix)]
        unix::give(folder, owner)
            .with_context(|| format!("{} can't be given to the server", folder.display()))?;
        Ok(())
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// Whether an account without rights may pass every folder down to this one.
fn everybody_reaches(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // The last folder may be closed: it is handed over.
        path.ancestors().skip(1).all(|folder| folder.metadata().is_ok_and(|about| about.mode() & 0o001 != 0))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        true
    }
}

/// Tries it: containers and some systems forbid user namespaces.
fn namespaces_work() -> bool {
    let mut probe = Command::new("/bin/true");
    Identity::Namespace.apply(&mut probe);
    probe.status().is_ok_and(|status| status.success())
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, chown, lchown};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    use super::{Identity, NOBODY};

    pub(super) fn apply(identity: Identity, command: &mut Command) {
        // A group of its own: Ctrl-C on the terminal reaches us alone, and we stop it in good order.
        command.process_group(0);
        if identity == Identity::Nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        // SAFETY: runs in the child between fork and exec; it only makes system calls and writes
        // to three files of /proc, and allocates nothing that another thread could hold locked.
        unsafe {
            command.pre_exec(move || {
                #[cfg(target_os = "linux")]
                {
                    if identity == Identity::Namespace {
                        enter_namespace()?;
                    }
                    // Last, because changing who we are clears it. SIGINT is PostgreSQL's fast, clean stop.
                    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGINT)?;
                }
                Ok(())
            });
        }
    }

    #[cfg(target_os = "linux")]
    fn enter_namespace() -> std::io::Result<()> {
        nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWUSER)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", "65534 0 1")?;
        fs::write("/proc/self/gid_map", "65534 0 1")
    }

    pub(super) fn give(folder: &Path, owner: u32) -> std::io::Result<()> {
        if !folder.exists() {
            return Ok(());
        }
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder) = folders.pop() {
            if folder.metadata()?.uid() != owner {
                chown(&folder, Some(owner), Some(owner))?;
            }
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                let about = entry.metadata()?;
                if about.is_dir() {
                    folders.push(entry.path());
                } else if about.uid() != owner {
                    lchown(entry.path(), Some(owner), Some(owner))?;
                }
            }
        }
        Ok(())
    }
}
