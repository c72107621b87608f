//! libpq's password file.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use platform::env::Env;

/// The password for a host, port, database and user. As in libpq, a file that others can read is ignored.
pub fn password(file: Option<&str>, env: &Env, connection: [&str; 4]) -> Option<String> {
    let named = file.or_else(|| env.optional("PGPASSFILE")).map(PathBuf::from);
    let path = named.or_else(|| Some(Path::new(env.optional("HOME")?).join(".pgpass")))?;
    if !is_private(&path) {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let fields = fields(line);
        let [known @ .., password] = fields.as_slice() else { return None };
        let matches = known.len() == 4
            && known.iter().zip(connection).all(|(known, wanted)| known == "*" || known == wanted);
        matches.then(|| password.clone())
    })
}

fn is_private(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o077 == 0)
}

/// The fields of a line, separated by colons. A backslash escapes a colon.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(found) = characters.next() {
        match (found, fields.last_mut()) {
            (':', _) => fields.push(String::new()),
            ('\\', Some(field)) => field.extend(characters.next()),
            (other, Some(field)) => field.push(other),
            (_, None) => {}
        }
    }
    fields
}
