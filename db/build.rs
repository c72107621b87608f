//! A new SQL file is a new part of the crate.

fn main() {
    for folder in ["backend", "marketplace", "seed"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
