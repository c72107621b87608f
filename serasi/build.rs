//! Embeds the built pages in a released program: `SERASI_PAGES` names their folder. Other builds embed nothing, and know
//! where their sources are instead. `cargo xtask release` sets the variable.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SERASI_PAGES");
    let pages = env::var_os("SERASI_PAGES").map(PathBuf::from);
    // The path of the sources would make the program depend on where it was built.
    let sources = if pages.is_some() { String::new() } else { variable("CARGO_MANIFEST_DIR")? };
    println!("cargo::rustc-env=SERASI_SOURCES={sources}");
    let list = match &pages {
        Some(folder) => list(folder)?,
        None => "&[]".to_owned(),
    };
    fs::write(Path::new(&variable("OUT_DIR")?).join("pages.rs"), list)
}

fn variable(name: &str) -> io::Result<String> {
    let value = env::var_os(name).and_then(|value| value.into_string().ok());
    value.ok_or_else(|| io::Error::other(format!("cargo sets no {name}")))
}

/// The files as an expression, sorted by name.
fn list(folder: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let (mut names, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                names.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    // The development build's own mark.
    names.retain(|name| name != ".built-from");
    names.sort();
    let mut list = String::from("&[\n");
    for name in names {
        let path = folder.join(&name).canonicalize()?;
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    list.push(']');
    Ok(list)
}
