//! Reads a dump's files. PostgreSQL parses them; this only looks at what psql can't tell.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use flate2::read::MultiGzDecoder;

use super::platform::is_ignored;
use crate::failures::{Failure, judge};

/// A longer line is no statement that matters here.
const LONGEST: u64 = 1000;
/// `pg_dump` ends each dump with the first, and `supabase db dump`, which removes comments, with the second.
const ENDS: [&str; 2] = ["PostgreSQL database dump complete", "RESET ALL;"];

/// Names and schemas.
pub type Extensions = BTreeSet<(String, String)>;

/// What a look at the lines of a dump finds.
#[derive(Default)]
pub struct Scan {
    /// Those of `CREATE EXTENSION`, which a superuser may have to run before the dump.
    pub extensions: Extensions,
    pub bytes: u64,
}

/// # Errors
/// When the file can't be opened or is not a plain dump.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead + Send>> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("{shown} can't be opened"))?;
    let mut first = [0; 5];
    let length = file.read(&mut first).with_context(|| format!("{shown} can't be read"))?;
    file.rewind()?;
    Ok(match &first[..length] {
        b"PGDMP" | b"toc.d" => {
            bail!("{shown} is not a plain dump: convert it with `pg_restore --file=dump.sql {shown}`")
        }
        [0x1f, 0x8b, ..] => Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(file)))),
        _ => Box::new(BufReader::new(file)),
    })
}

/// Looks at every line of a dump.
///
/// # Errors
/// When the file can't be read, or its end is missing.
pub fn scan(path: &Path) -> anyhow::Result<Scan> {
    let mut scan = Scan::default();
    let truncated =
        || format!("{} is truncated, or was not made by pg_dump or `supabase db dump`", path.display());
    let mut dump = open(path)?;
    let (mut line, mut is_complete) = (Vec::new(), false);
    loop {
        line.clear();
        let length = dump.by_ref().take(LONGEST).read_until(b'\n', &mut line).with_context(truncated)?;
        if length == 0 {
            break;
        }
        scan.bytes += length as u64;
        let text = String::from_utf8_lossy(&line);
        if ENDS.iter().any(|end| text.contains(end)) {
            is_complete = true;
        } else if let Some(extension) = text.strip_prefix("CREATE EXTENSION ") {
            scan.extensions.extend(parse_extension(extension));
        } else if !text.trim().is_empty() && !text.starts_with("--") && !text.starts_with("\\unrestrict ") {
            is_complete = false;
        }
    }
    ensure!(is_complete, "{}: the end of the dump is missing", truncated());
    Ok(scan)
}

/// Returns what is left out of the import because of errors that don't matter: those in schemas of the platform, and see [`judge`].
///
/// # Errors
/// For the first error that matters. `missing`: extensions that do not exist here.
pub fn check(failures: Vec<Failure>, path: &Path, missing: &[String]) -> anyhow::Result<BTreeSet<String>> {
    let mut judged = judge(failures);
    judged.serious.retain(|failure| !failure.schema().is_some_and(is_ignored));
    let Some(Failure { line, message, .. }) = judged.serious.first() else { return Ok(judged.left_out) };
    let (path, more) = (path.display(), judged.serious.len() - 1);
    ensure!(
        !message.contains("backslash commands are restricted"),
        "line {line} of {path}: a psql command, which is not run"
    );
    let more = if more == 0 { String::new() } else { format!(" ({more} more errors followed)") };
    let hint = match missing {
        [] => String::new(),
        missing => format!("; the dump uses extensions that do not exist here: {}", missing.join(", ")),
    };
    bail!("line {line} of {path}: {message}{more}{hint}")
}

/// `IF NOT EXISTS "uuid-ossp" WITH SCHEMA "extensions";`
fn parse_extension(text: &str) -> Option<(String, String)> {
    let unquoted = text.trim_start_matches("IF NOT EXISTS ").replace(['"', ';'], "");
    let (name, schema) = unquoted.trim().split_once(" WITH SCHEMA ")?;
    Some((name.to_owned(), schema.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_recognized() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dump.sql");
        let dump = "\\restrict abc\nCREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" WITH SCHEMA \"public\";\nselect 1;\n\
                    --\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict abc\n";
        std::fs::write(&path, dump).unwrap();
        let found = scan(&path).unwrap();
        assert_eq!(found.extensions, BTreeSet::from([("uuid-ossp".to_owned(), "public".to_owned())]));
        assert_eq!(found.bytes, dump.len() as u64);
        for cut in [&dump[..80], "", "select 1;\n"] {
            std::fs::write(&path, cut).unwrap();
            let error = scan(&path).err().unwrap().to_string();
            assert!(error.contains("is truncated"), "{error}");
        }
    }
}
