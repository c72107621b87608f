//! The version of the program, for every place that shows it.

use std::sync::LazyLock;

static VERSION: LazyLock<String> =
    LazyLock::new(|| text(env!("CARGO_PKG_VERSION"), option_env!("SERASI_COMMIT").unwrap_or_default()));

/// For example `1.2.0`, or `1.2.0 (0a1b2c3d4e5f)` in a program that `cargo xtask release` built from a
/// commit. It contains no build time, so that building a commit again produces the same program.
pub fn version() -> &'static str {
    &VERSION
}

fn text(version: &str, commit: &str) -> String {
    if commit.is_empty() { version.to_owned() } else { format!("{version} ({commit})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_shown_when_it_is_known() {
        assert_eq!(text("1.2.0", ""), "1.2.0");
        assert_eq!(text("1.2.0", "0a1b2c3d4e5f"), "1.2.0 (0a1b2c3d4e5f)");
        assert!(version().starts_with(env!("CARGO_PKG_VERSION")));
    }
}
