//! What the tests say about a mutant.

use serde::{Deserialize, Serialize};

/// The kinds of tests, strongest proof first. The snapshot of the schema detects every change, so it
/// comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) enum Proof {
    Behavior,
    Plan,
    Lint,
    Structure,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Verdict {
    Killed {
        proof: Proof,
        file: String,
        /// The failed test.
        by: String,
    },
    Survived,
    /// The mutant's SQL failed, which is a bug in this tool.
    Impossible(String),
}
