//! Values for parameters that the connection string omits: those of a service file, or of environment variables.

use std::path::PathBuf;

use platform::env::{ConfigError, Env};

pub struct Defaults<'e> {
    env: &'e Env,
    service: Vec<(String, String)>,
}

impl<'e> Defaults<'e> {
    /// # Errors
    /// When the service is not defined.
    pub fn new(env: &'e Env, service: Option<&str>) -> Result<Self, ConfigError> {
        let Some(name) = service.or(env.optional("PGSERVICE")) else {
            return Ok(Self { env, service: Vec::new() });
        };
        let files = [
            env.optional("PGSERVICEFILE").map(PathBuf::from).or_else(|| home_file(env, ".pg_service.conf")),
            env.optional("PGSYSCONFDIR").map(|folder| PathBuf::from(folder).join("pg_service.conf")),
        ];
        let found =
            files.into_iter().flatten().find_map(|path| section(&std::fs::read_to_string(path).ok()?, name));
        let service = found.ok_or_else(|| {
            ConfigError::new("PGSERVICE", format!("definition of service \"{name}\" not found"))
        })?;
        Ok(Self { env, service })
    }

    pub fn get(&self, parameter: &str, variable: &str) -> Option<&str> {
        let of_service =
            self.service.iter().find(|(name, _)| name == parameter).map(|(_, value)| value.as_str());
        of_service.or_else(|| self.env.optional(variable))
    }

    /// The password for a connection from the password file. As in libpq, a file that others can read is
    /// ignored.
    pub fn password(&self, file: Option<&str>, connection: [&str; 4]) -> Option<String> {
        let given = file.or_else(|| self.get("passfile", "PGPASSFILE")).map(PathBuf::from);
        let path = given.or_else(|| home_file(self.env, ".pgpass"))?;
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
}

fn home_file(env: &Env, name: &str) -> Option<PathBuf> {
    env.optional("HOME").map(|folder| PathBuf::from(folder).join(name))
}

#[cfg(unix)]
fn is_private(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(path: &std::path::Path) -> bool {
    path.is_file()
}

fn section(text: &str, wanted: &str) -> Option<Vec<(String, String)>> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != format!("[{wanted}]"));
    lines.next()?;
    let pairs = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    Some(
        pairs
            .filter_map(|line| line.split_once('='))
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
            .collect(),
    )
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
