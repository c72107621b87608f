//! Rebuilds the crate when an SQL file or a picture is added or changed, because they are embedded.

fn main() {
    for folder in ["migrations", "functions", "views", "policies", "seed"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
