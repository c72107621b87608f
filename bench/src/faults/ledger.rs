//! The writes that the product acknowledged.

use std::collections::BTreeMap;

/// Acknowledged writes since the last check.
#[derive(Default)]
pub struct Ledger {
    /// Titles of gigs.
    pub rows: Vec<String>,
    /// Names of uploads and their colors.
    pub uploads: Vec<(String, u32)>,
    /// Addresses that signed up: an account and a mail each.
    pub accounts: Vec<String>,
    /// Pictures that are replaced again and again.
    pub replaced: BTreeMap<String, Replaced>,
}

/// The valid contents of a picture: the acknowledged one, or a later one whose response was lost.
#[derive(Default, Clone)]
pub struct Replaced {
    pub acknowledged: Option<u32>,
    pub attempted: Vec<u32>,
}
