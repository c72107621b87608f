//! Encryption of a backup in the format of age, so that the program `age` can decrypt it, too. A changed, cut or reordered file
//! is detected.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::iter::once;

use age::secrecy::ExposeSecret;
use age::stream::StreamWriter;
use age::x25519::Identity;
use age::{DecryptError, Decryptor, Encryptor};
use platform::env::{ConfigError, Env};

const SETTING: &str = "BACKUP_KEY";
/// The first bytes of an encrypted file.
const MAGIC: &[u8] = b"age-encryption.org/";

#[derive(Clone)]
pub struct Key(Identity);

/// A new value for `BACKUP_KEY`.
pub fn generate() -> String {
    Identity::generate().to_string().expose_secret().to_owned()
}

impl Key {
    /// `None` without `BACKUP_KEY`.
    ///
    /// # Errors
    /// When the value is not a key.
    pub fn from_env(env: &Env) -> Result<Option<Self>, ConfigError> {
        let Some(text) = env.optional(SETTING) else { return Ok(None) };
        let key = text.trim().parse();
        let key =
            key.map_err(|_| ConfigError::new(SETTING, "is not a key: `serasi backup-key` prints a new one"))?;
        Ok(Some(Self(key)))
    }
}

/// A file that is written, perhaps encrypted.
pub trait Output: Write {
    /// Writes the end, and syncs the file to disk.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Output for BufWriter<File> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        self.into_inner().map_err(|error| error.into_error())?.sync_all()
    }
}

impl Output for StreamWriter<BufWriter<File>> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        Box::new((*self).finish()?).finish()
    }
}

/// Encrypts what is written if there is a key.
///
/// # Errors
/// When the header can't be written.
pub fn output(file: File, key: Option<&Key>) -> io::Result<Box<dyn Output>> {
    let file = BufWriter::new(file);
    let Some(Key(key)) = key else { return Ok(Box::new(file)) };
    let recipient = key.to_public();
    let encryptor = Encryptor::with_recipients(once(&recipient as &dyn age::Recipient));
    Ok(Box::new(encryptor.map_err(io::Error::other)?.wrap_output(file)?))
}

/// The content of a file, which must be encrypted if and only if there is a key. Otherwise anyone who can write to the
/// storage could replace an encrypted file with another one.
///
/// # Errors
/// When the file can't be read, or is encrypted without a key, with another key, or not encrypted although there is a key.
pub fn open(file: File, key: Option<&Key>) -> io::Result<Box<dyn Read>> {
    let mut file = BufReader::new(file);
    let is_encrypted = io::BufRead::fill_buf(&mut file)?.starts_with(MAGIC);
    match (is_encrypted, key) {
        (false, None) => Ok(Box::new(file)),
        (true, None) => Err(io::Error::other("it is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE")),
        (false, Some(_)) => Err(io::Error::other("it is not encrypted: unset BACKUP_KEY to use it anyway")),
        (true, Some(Key(key))) => {
            let opened = Decryptor::new(file).and_then(|file| file.decrypt(once(key as &dyn age::Identity)));
            Ok(Box::new(opened.map_err(explain)?))
        }
    }
}

fn explain(error: DecryptError) -> io::Error {
    match error {
        DecryptError::NoMatchingKeys => {
            io::Error::other("BACKUP_KEY is not the key that it was encrypted with")
        }
        error => io::Error::other(format!("it is damaged: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<Key> {
        Key::from_env(&Env::from_iter([(SETTING, text)])).unwrap()
    }

    #[test]
    fn only_the_key_decrypts_a_file_and_changes_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (right, wrong) = (key(&generate()), key(&generate()));
        let read = |key: Option<&Key>| {
            let mut content = Vec::new();
            let read = open(File::open(&path)?, key)?.read_to_end(&mut content);
            read.map(|_| content)
        };
        let content: Vec<u8> = (0..200_000).map(|number| number as u8).collect();
        let mut writer = output(File::create(&path).unwrap(), right.as_ref()).unwrap();
        writer.write_all(&content).unwrap();
        writer.finish().unwrap();
        assert!(read(right.as_ref()).unwrap() == content);
        assert!(read(wrong.as_ref()).unwrap_err().to_string().contains("BACKUP_KEY is not the key"));
        assert!(read(None).unwrap_err().to_string().contains("set BACKUP_KEY"));

        let intact = std::fs::read(&path).unwrap();
        let mut changed = intact.clone();
        changed[150_000] ^= 1;
        for wrong in [&changed[..], &intact[..100_000], &intact[..10]] {
            std::fs::write(&path, wrong).unwrap();
            assert!(read(right.as_ref()).is_err(), "{}", wrong.len());
        }
        std::fs::write(&path, "plain").unwrap();
        assert!(read(right.as_ref()).unwrap_err().to_string().contains("not encrypted"));
        assert_eq!(read(None).unwrap(), b"plain");
    }

    #[test]
    fn a_malformed_key_is_not_repeated_in_the_error() {
        for wrong in ["secret", &"0".repeat(64), "age1secret"] {
            let refused = Key::from_env(&Env::from_iter([(SETTING, wrong)]));
            assert!(refused.is_err_and(|error| !error.to_string().contains(wrong)), "{wrong}");
        }
    }
}
