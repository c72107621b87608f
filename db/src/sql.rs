//! The embedded SQL files. `build.rs` collects them.

include!(concat!(env!("OUT_DIR"), "/files.rs"));
