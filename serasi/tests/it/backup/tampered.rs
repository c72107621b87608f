//! Changes the files in a backup's archive.

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

pub type Files = Vec<(String, Vec<u8>)>;

pub const SUMS: &str = "SHA256SUMS";

pub fn read(backup: &Path) -> Files {
    let mut archive = tar::Archive::new(std::fs::File::open(backup).unwrap());
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        (entry.path().unwrap().display().to_string(), content)
    });
    entries.collect()
}

pub fn write(backup: &Path, files: &Files) {
    let mut archive = tar::Builder::new(std::fs::File::create(backup).unwrap());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o600);
        archive.append_data(&mut header, name, &content[..]).unwrap();
    }
    archive.into_inner().unwrap().sync_all().unwrap();
}

/// With the right hashes.
pub fn write_with_sums(backup: &Path, files: &Files) {
    let mut files: Files = files.iter().filter(|(name, _)| name != SUMS).cloned().collect();
    let line = |(name, content): &(String, Vec<u8>)| {
        let hash: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{hash}  {name}\n")
    };
    let sums: String = files.iter().map(line).collect();
    files.push((SUMS.to_owned(), sums.into_bytes()));
    write(backup, &files);
}

pub fn file<'f>(files: &'f mut Files, prefix: &str) -> &'f mut Vec<u8> {
    &mut files.iter_mut().find(|(name, _)| name.starts_with(prefix)).unwrap().1
}

/// Replaces a text that occurs once by one of the same length, padded with spaces.
pub fn replace(content: &mut [u8], from: &str, to: &str) {
    let place = content.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
    let padded = format!("{to:<width$}", width = from.len());
    assert_eq!(padded.len(), from.len(), "{to} is too long");
    content[place..place + from.len()].copy_from_slice(padded.as_bytes());
}
