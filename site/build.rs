//! The folder whose files a released program contains: `SERASI_PAGES`, which `cargo xtask release` sets. Other builds
//! contain no pages.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SERASI_PAGES");
    let none = || env::var_os("OUT_DIR").map(|folder| PathBuf::from(folder).join("no-pages"));
    let pages = env::var_os("SERASI_PAGES").map(PathBuf::from).or_else(none).unwrap_or_default();
    fs::create_dir_all(&pages)?;
    println!("cargo::rerun-if-changed={}", pages.display());
    println!("cargo::rustc-env=SITE_PAGES={}", pages.display());
    Ok(())
}
