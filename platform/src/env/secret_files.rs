//! Secrets in files: `NAME_FILE` names the file that holds the value of `NAME`, as container platforms mount it.

use std::io::Read;

use super::{ConfigError, Env};

/// Settings that hold a secret.
const SECRETS: &str = "ANON_KEY BACKUP_KEY DATABASE_LISTEN_URL DATABASE_PASSWORD DATABASE_REPLICA_URL DATABASE_URL \
    JWT_PREVIOUS_SECRETS JWT_SECRET JWT_SIGNING_KEYS LOGIN_PASSWORD OTEL_EXPORTER_OTLP_HEADERS S3_ACCESS_KEY_ID \
    S3_SECRET_ACCESS_KEY SERVICE_ROLE_KEY SMTP_URL";
/// The gateway accepts `@file` for these and reads the file again when it reloads its settings.
const READ_BY_GATEWAY: [&str; 2] = ["PGRST_DB_URI", "PGRST_JWT_SECRET"];

/// Enough for a key set with many keys. A larger file is not a secret.
const MAX_BYTES: u64 = 64 * 1024;

/// Replaces `NAME_FILE` with `NAME` for every secret.
pub(super) fn resolve(mut env: Env) -> Result<Env, ConfigError> {
    for name in SECRETS.split_whitespace() {
        if let Some(file) = take_file(&mut env, name)? {
            let text = String::from_utf8(read(name, &file)?)
                .map_err(|_| problem(name, format!("`{file}` is not UTF-8 text")))?;
            env.0.insert(name.to_owned(), text.trim_end_matches(['\r', '\n']).to_owned());
        }
    }
    for name in READ_BY_GATEWAY {
        if let Some(file) = take_file(&mut env, name)? {
            read(name, &file)?;
            env.0.insert(name.to_owned(), format!("@{file}"));
        }
    }
    Ok(env)
}

/// Removes `NAME_FILE`. An empty one counts as missing.
fn take_file(env: &mut Env, name: &str) -> Result<Option<String>, ConfigError> {
    let Some(file) = env.0.remove(&format!("{name}_FILE")).filter(|file| !file.is_empty()) else {
        return Ok(None);
    };
    if env.optional(name).is_some() {
        return Err(problem(name, format!("{name} is set, too: remove one of them")));
    }
    Ok(Some(file))
}

fn read(name: &str, file: &str) -> Result<Vec<u8>, ConfigError> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| problem(name, format!("`{file}` can't be read: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(problem(name, format!("`{file}` is larger than {MAX_BYTES} bytes")));
    }
    if bytes.trim_ascii().is_empty() {
        return Err(problem(name, format!("`{file}` is empty")));
    }
    Ok(bytes)
}

fn problem(name: &str, problem: String) -> ConfigError {
    ConfigError::new(format!("{name}_FILE"), problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &tempfile::TempDir, content: &[u8]) -> String {
        let path = folder.path().join("secret");
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    }

    fn error(variables: &[(&str, &str)]) -> String {
        resolve(variables.iter().copied().collect()).err().unwrap().to_string()
    }

    #[test]
    fn a_secret_file_is_read_without_its_last_line_break() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, b" a secret \r\n");
        let env = resolve(Env::from_iter([("JWT_SECRET_FILE", &path)])).unwrap();
        assert_eq!((env.given("JWT_SECRET"), env.given("JWT_SECRET_FILE")), (Some(" a secret "), None));
        let env = resolve(Env::from_iter([("JWT_SECRET_FILE", ""), ("JWT_SECRET", "x")])).unwrap();
        assert_eq!(env.optional("JWT_SECRET"), Some("x"));
        // Not a secret: a file of certificates.
        assert!(resolve(Env::from_iter([("SMTP_CA_FILE", "/no/such/file")])).is_ok());
    }

    #[test]
    fn the_gateway_gets_the_files_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, b"\xff\xfe\n");
        let env = resolve(Env::from_iter([("PGRST_JWT_SECRET_FILE", &path)])).unwrap();
        assert_eq!(env.optional("PGRST_JWT_SECRET"), Some(format!("@{path}").as_str()));
        assert_eq!(env.names_with_prefix("PGRST_").count(), 1);
    }

    #[test]
    fn an_error_names_the_variable_and_the_file_but_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, b"hidden");
        let both = error(&[("ANON_KEY", "hidden"), ("ANON_KEY_FILE", &path)]);
        assert_eq!(both, "ANON_KEY_FILE: ANON_KEY is set, too: remove one of them");
        let missing = error(&[("SMTP_URL_FILE", "/no/such/file")]);
        assert!(missing.starts_with("SMTP_URL_FILE: `/no/such/file` can't be read: "), "{missing}");
        let folder_instead = error(&[("PGRST_DB_URI_FILE", folder.path().to_str().unwrap())]);
        assert!(folder_instead.contains("can't be read"), "{folder_instead}");
        for (content, expected) in
            [(&b" \n"[..], "is empty"), (b"\xff", "is not UTF-8 text"), (&[b'a'; 65537], "is larger than")]
        {
            let path = file(&folder, content);
            let found = error(&[("LOGIN_PASSWORD_FILE", &path)]);
            assert!(found.contains(expected) && !found.contains('\n'), "{found}");
        }
    }
}
