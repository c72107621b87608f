//! Collects the SQL files that the crate embeds, in the order in which they are applied: by folder, then by name.

#![expect(clippy::disallowed_methods, reason = "cargo tells build scripts their folders this way")]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const WALLS: [&str; 2] = ["backend", "marketplace"];

/// What is applied again when it changes. `access` has the policies, grants and view of each table, which call functions, and `api`
/// has functions that return rows of views. Within a folder, the order does not matter to functions: their bodies are checked at
/// the end.
const KINDS: [&str; 3] = ["functions", "access", "api"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    for wall in WALLS {
        for entry in fs::read_dir(root.join(wall))? {
            let path = entry?.path();
            let is_known = KINDS.iter().any(|kind| path.ends_with(kind));
            if path.is_dir() && !is_known {
                return Err(io::Error::other(format!("add {} to KINDS in db/build.rs", path.display())));
            }
        }
    }
    let tables = WALLS.map(str::to_owned);
    let texts = KINDS.iter().flat_map(|kind| WALLS.map(|wall| format!("{wall}/{kind}")));
    let code = list("TABLES", &root, tables)? + &list("TEXTS", &root, texts)?;
    for folder in WALLS.iter().chain(&["bridge", "steps", "seed"]) {
        println!("cargo:rerun-if-changed={folder}");
    }
    fs::write(PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("files.rs"), code)
}

fn list(name: &str, root: &Path, folders: impl IntoIterator<Item = String>) -> io::Result<String> {
    let mut code = format!("pub(crate) const {name}: &[(&str, &str)] = &[\n");
    for folder in folders {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        let mut files = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "sql"));
        files.sort();
        for file in files {
            let file_name = file.file_name().unwrap_or_default().display();
            code += &format!("    (\"{folder}/{file_name}\", include_str!({file:?})),\n");
        }
    }
    Ok(code + "];\n")
}
