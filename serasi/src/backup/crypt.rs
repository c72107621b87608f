//! Encryption of a backup's files with XChaCha20-Poly1305 in chunks (RustCrypto's STREAM): a changed,
//! missing, repeated or reordered chunk is detected, and so is a file under another file's name.

use std::io::{self, Cursor, Read, Write};

use chacha20poly1305::aead::stream::{DecryptorBE32, EncryptorBE32};
use chacha20poly1305::aead::{KeyInit, Payload};
use chacha20poly1305::{Key as Bytes, XChaCha20Poly1305};
use platform::env::{ConfigError, Env};
use platform::random;

use super::manifest::hex;

const SETTING: &str = "BACKUP_KEY";
/// The first bytes of an encrypted file. They contain the version of the format.
const MAGIC: [u8; 8] = *b"SERASI\0\x01";
const NONCE_BYTES: usize = 19;
const CHUNK: usize = 64 * 1024;
const TAG_BYTES: usize = 16;

#[derive(Clone)]
pub struct Key(XChaCha20Poly1305);

/// A new value for `BACKUP_KEY`.
pub fn generate() -> String {
    let mut key = [0; 32];
    random::fill(&mut key);
    hex(key)
}

impl Key {
    /// `None` without `BACKUP_KEY`.
    ///
    /// # Errors
    /// When the value is not a key.
    pub fn from_env(env: &Env) -> Result<Option<Self>, ConfigError> {
        let Some(text) = env.optional(SETTING) else { return Ok(None) };
        let key = parse(text)
            .ok_or_else(|| ConfigError::new(SETTING, "is not a key: `serasi backup-key` prints a new one"))?;
        Ok(Some(Self(XChaCha20Poly1305::new(&Bytes::from(key)))))
    }
}

fn parse(text: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    if text.len() != 2 * key.len() || !text.bytes().all(|letter| letter.is_ascii_hexdigit()) {
        return None;
    }
    for (place, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    Some(key)
}

/// Encrypts what it writes if there is a key. Call [`Writer::finish`] at the end.
pub enum Writer<W: Write> {
    Plain(W),
    Encrypted(Encrypted<W>),
}

pub struct Encrypted<W> {
    to: W,
    stream: EncryptorBE32<XChaCha20Poly1305>,
    /// Authenticated with each chunk.
    name: String,
    chunk: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// `name` is the file's name in the backup.
    ///
    /// # Errors
    /// When the header can't be written.
    pub fn new(mut to: W, key: Option<&Key>, name: &str) -> io::Result<Self> {
        let Some(key) = key else { return Ok(Self::Plain(to)) };
        let mut nonce = [0; NONCE_BYTES];
        random::fill(&mut nonce);
        to.write_all(&MAGIC)?;
        to.write_all(&nonce)?;
        let stream = EncryptorBE32::from_aead(key.0.clone(), &nonce.into());
        Ok(Self::Encrypted(Encrypted { to, stream, name: name.to_owned(), chunk: Vec::with_capacity(CHUNK) }))
    }

    /// # Errors
    /// When the last bytes can't be written.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut to) => to.flush(),
            Self::Encrypted(Encrypted { mut to, stream, name, chunk }) => {
                let last = stream.encrypt_last(Payload { msg: &chunk, aad: name.as_bytes() });
                to.write_all(&last.map_err(|_| too_long())?)?;
                to.flush()
            }
        }
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(to) => to.write(bytes),
            Self::Encrypted(Encrypted { to, stream, name, chunk }) => {
                // The last chunk is encrypted differently, so a full chunk waits until more data or the end
                // follows.
                if chunk.len() == CHUNK && !bytes.is_empty() {
                    let next = stream.encrypt_next(Payload { msg: chunk, aad: name.as_bytes() });
                    to.write_all(&next.map_err(|_| too_long())?)?;
                    chunk.clear();
                }
                let taken = bytes.len().min(CHUNK - chunk.len());
                chunk.extend_from_slice(&bytes[..taken]);
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(to) | Self::Encrypted(Encrypted { to, .. }) => to.flush(),
        }
    }
}

/// # Errors
/// When the content has too many chunks for the counter of the cipher.
pub fn encrypted(content: &[u8], key: Option<&Key>, name: &str) -> io::Result<Vec<u8>> {
    let mut whole = Vec::with_capacity(content.len() + 64);
    let mut writer = Writer::new(&mut whole, key, name)?;
    writer.write_all(content)?;
    writer.finish()?;
    Ok(whole)
}

fn too_long() -> io::Error {
    io::Error::other("the file is too long to be encrypted")
}

/// The content of a file, which must be encrypted if and only if there is a key. Otherwise anyone who can write to the
/// storage could replace an encrypted file with another one.
///
/// # Errors
/// When the file can't be read, when it is encrypted and there is no key, or when it is not encrypted and
/// there is a key.
pub fn open(
    mut file: impl Read + Send + 'static,
    key: Option<&Key>,
    name: &str,
) -> io::Result<Box<dyn Read + Send>> {
    let mut begin = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begin)?;
    match (begin == MAGIC, key) {
        (false, None) => Ok(Box::new(Cursor::new(begin).chain(file))),
        (true, None) => Err(io::Error::other("it is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE")),
        (false, Some(_)) => Err(io::Error::other("it is not encrypted: unset BACKUP_KEY to use it anyway")),
        (true, Some(key)) => {
            let mut nonce = [0; NONCE_BYTES];
            file.read_exact(&mut nonce).map_err(|_| changed())?;
            let stream = DecryptorBE32::from_aead(key.0.clone(), &nonce.into());
            let next = block(&mut file)?;
            Ok(Box::new(Decrypted {
                from: file,
                stream: Some(stream),
                name: name.to_owned(),
                next,
                plain: Cursor::default(),
            }))
        }
    }
}

struct Decrypted<R> {
    from: R,
    /// `None` after the last chunk.
    stream: Option<DecryptorBE32<XChaCha20Poly1305>>,
    name: String,
    /// Read ahead, because the last chunk is decrypted differently.
    next: Vec<u8>,
    plain: Cursor<Vec<u8>>,
}

impl<R: Read> Read for Decrypted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.plain.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(mut stream) = self.stream.take() else { return Ok(0) };
            let following = block(&mut self.from)?;
            let payload = Payload { msg: &self.next, aad: self.name.as_bytes() };
            let plain = if following.is_empty() {
                stream.decrypt_last(payload)
            } else {
                let plain = stream.decrypt_next(payload);
                self.stream = Some(stream);
                plain
            };
            self.plain = Cursor::new(plain.map_err(|_| changed())?);
            self.next = following;
        }
    }
}

fn block(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut block = Vec::new();
    file.take((CHUNK + TAG_BYTES) as u64).read_to_end(&mut block)?;
    Ok(block)
}

fn changed() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "it is damaged, or BACKUP_KEY is not the key that it was encrypted with",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<Key> {
        Key::from_env(&Env::from_iter([(SETTING, text)])).unwrap()
    }

    fn read(file: &[u8], key: Option<&Key>, name: &str) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        let opened = open(Cursor::new(file.to_vec()), key, name);
        let read = opened.and_then(|mut file| file.read_to_end(&mut content));
        read.map(|_| content).map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_key_decrypts_a_file() {
        let (right, wrong) = (key(&generate()), key(&generate()));
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let content: Vec<u8> = (0..length).map(|number| number as u8).collect();
            let file = encrypted(&content, right.as_ref(), "a").unwrap();
            assert!(read(&file, right.as_ref(), "a").unwrap() == content, "{length}");
            assert!(read(&file, wrong.as_ref(), "a").unwrap_err().contains("BACKUP_KEY is not the key"));
            assert!(read(&file, right.as_ref(), "b").unwrap_err().starts_with("it is damaged"));
            assert!(read(&file, None, "a").unwrap_err().contains("set BACKUP_KEY"));
        }
        assert!(read(b"plain", right.as_ref(), "a").unwrap_err().contains("not encrypted"));
        assert_eq!(read(b"plain", None, "a").unwrap(), b"plain");
    }

    #[test]
    fn a_changed_truncated_or_reordered_file_is_damaged() {
        let key = key(&generate());
        let content: Vec<u8> = (0..3 * CHUNK).map(|number| (number / CHUNK) as u8).collect();
        let file = encrypted(&content, key.as_ref(), "a").unwrap();
        let (head, block) = (MAGIC.len() + NONCE_BYTES, CHUNK + TAG_BYTES);
        let mut flipped = file.clone();
        flipped[head + 5] ^= 1;
        let mut reordered = file.clone();
        reordered[head..head + 2 * block].rotate_left(block);
        let repeated = [&file[..head + block], &file[head..]].concat();
        let longer = [&file[..], b"x"].concat();
        let cut = [head - 1, head, head + 1, head + block, head + 2 * block, file.len() - 1]
            .map(|end| file[..end].to_vec());
        for wrong in [flipped, reordered, repeated, longer].into_iter().chain(cut) {
            assert!(
                read(&wrong, key.as_ref(), "a").unwrap_err().starts_with("it is damaged"),
                "{}",
                wrong.len()
            );
        }
    }

    #[test]
    fn a_key_has_64_hexadecimal_digits() {
        for wrong in ["secret", &"g".repeat(64), &"é".repeat(32), &"0".repeat(63)] {
            let refused = Key::from_env(&Env::from_iter([(SETTING, wrong)]));
            assert!(refused.is_err_and(|error| !error.to_string().contains(wrong)), "{wrong}");
        }
    }
}
