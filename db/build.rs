//! A new SQL file is a new part of the crate.

fn main() {
    for folder in ["backend", "marketplace", "bridge", "seed"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
