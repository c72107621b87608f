//! A `.tar.gz` whose bytes depend only on its files.

use std::fs::File;
use std::io::BufWriter;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;

pub struct Archive {
    archive: tar::Builder<GzEncoder<BufWriter<File>>>,
    /// All files are in one folder.
    folder: String,
    /// The time of every file, in seconds since 1970.
    time: u64,
}

impl Archive {
    /// # Errors
    /// When the file can't be written.
    pub fn create(file: &Path, folder: &str, time: u64) -> anyhow::Result<Self> {
        let output = File::create(file).with_context(|| file.display().to_string())?;
        let output = GzEncoder::new(BufWriter::new(output), Compression::best());
        Ok(Self { archive: tar::Builder::new(output), folder: folder.to_owned(), time })
    }

    /// # Errors
    /// When the file can't be read, or the archive can't be written.
    pub fn add(&mut self, file: &Path, name: &str, mode: u32) -> anyhow::Result<()> {
        let content = File::open(file).with_context(|| file.display().to_string())?;
        let mut header = self.header(content.metadata()?.len(), mode);
        self.archive.append_data(&mut header, format!("{}/{name}", self.folder), content)?;
        Ok(())
    }

    fn header(&self, size: u64, mode: u32) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(mode);
        header.set_mtime(self.time);
        header.set_uid(0);
        header.set_gid(0);
        header
    }

    /// Adds a file or link, or all files of a folder in the order of their names.
    ///
    /// # Errors
    /// See [`Archive::add`].
    pub fn add_all(&mut self, path: &Path, name: &str) -> anyhow::Result<()> {
        if path.is_symlink() {
            let mut header = self.header(0, 0o777);
            header.set_entry_type(tar::EntryType::Symlink);
            let (name, target) = (format!("{}/{name}", self.folder), std::fs::read_link(path)?);
            return Ok(self.archive.append_link(&mut header, name, target)?);
        }
        if !path.is_dir() {
            let is_program = path.metadata()?.permissions().mode() & 0o100 != 0;
            return self.add(path, name, if is_program { 0o755 } else { 0o644 });
        }
        let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names: Vec<String> = names.collect::<anyhow::Result<_>>()?;
        names.sort();
        for entry in names {
            self.add_all(&path.join(&entry), &format!("{name}/{entry}"))?;
        }
        Ok(())
    }

    /// # Errors
    /// When the archive can't be written.
    pub fn finish(self) -> anyhow::Result<()> {
        self.archive.into_inner()?.finish()?.into_inner().map_err(|error| error.into_error())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn made(folder: &Path, file: &str) -> Vec<u8> {
        let path = folder.join(file);
        let mut archive = Archive::create(&path, "serasi-1.0.0", 1_000_000_000).unwrap();
        archive.add(&folder.join("input/b"), "serasi", 0o755).unwrap();
        archive.add_all(&folder.join("input"), "docs").unwrap();
        archive.finish().unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn the_same_files_make_the_same_archive() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("input/more")).unwrap();
        for name in ["input/b", "input/a", "input/more/c"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        std::os::unix::fs::symlink("a", folder.path().join("input/link")).unwrap();
        fs::set_permissions(folder.path().join("input/more/c"), fs::Permissions::from_mode(0o755)).unwrap();
        let first = made(folder.path(), "first");
        let touched = File::options().write(true).open(folder.path().join("input/b")).unwrap();
        touched.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        assert!(first == made(folder.path(), "second"), "the archives differ");

        let mut archive = tar::Archive::new(GzDecoder::new(&first[..]));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            let path = entry.path().unwrap().display().to_string();
            found.push((path, entry.header().mode().unwrap(), content));
        }
        let expected = [
            ("serasi-1.0.0/serasi", 0o755, "input/b"),
            ("serasi-1.0.0/docs/a", 0o644, "input/a"),
            ("serasi-1.0.0/docs/b", 0o644, "input/b"),
            ("serasi-1.0.0/docs/link", 0o777, ""),
            ("serasi-1.0.0/docs/more/c", 0o755, "input/more/c"),
        ];
        assert_eq!(found, expected.map(|(path, mode, text)| (path.to_owned(), mode, text.to_owned())));
    }
}
