//! The SQL and the pictures are embedded: a file that is added must lead to a new build.

fn main() {
    for folder in ["migrations", "functions", "views", "policies", "seed"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
