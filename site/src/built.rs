//! The built frontend, read from a folder or contained in a released program. Either way it is served from memory.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;
use std::{env, fs};

use anyhow::Context as _;
use bytes::Bytes;
use include_dir::{Dir, include_dir};
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tower_http::services::fs::{Backend, File, Metadata};

static EMBEDDED: Dir<'_> = include_dir!("$SITE_PAGES");

/// Clones share the files.
#[derive(Clone)]
pub struct Pages {
    files: Arc<HashMap<PathBuf, Bytes>>,
    /// When the pages last changed.
    modified: Option<SystemTime>,
}

impl Pages {
    /// `None` unless this is a released program.
    #[must_use]
    pub fn embedded() -> Option<Self> {
        let installed = env::current_exe().and_then(|program| program.metadata()?.modified());
        let files = embedded_below(&EMBEDDED);
        (!files.is_empty()).then(|| Self { files: Arc::new(files), modified: installed.ok() })
    }

    /// Reads all files of the build.
    ///
    /// # Errors
    /// When one can't be read.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut files = HashMap::new();
        read_below(folder, folder, &mut files)?;
        let changed = fs::metadata(folder.join("index.html")).and_then(|index| index.modified());
        Ok(Self { files: Arc::new(files), modified: changed.ok() })
    }

    /// A text file of the build.
    ///
    /// # Errors
    /// When it is missing. The message names it.
    pub fn text(&self, name: &str) -> anyhow::Result<String> {
        let content = self.files.get(Path::new(name));
        let content = content.with_context(|| format!("{name} is missing in the folder of the pages"))?;
        Ok(std::str::from_utf8(content).with_context(|| name.to_owned())?.to_owned())
    }

    /// `ServeDir` names files by paths such as `./assets/index.js`.
    fn file(&self, path: &Path) -> io::Result<OpenFile> {
        let content = self.files.get(path.strip_prefix(".").unwrap_or(path));
        let content = content.cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(OpenFile { content: Cursor::new(content), modified: self.modified })
    }
}

fn embedded_below(folder: &Dir<'static>) -> HashMap<PathBuf, Bytes> {
    let files = folder.files().map(|file| (file.path().to_owned(), Bytes::from_static(file.contents())));
    files.chain(folder.dirs().flat_map(embedded_below)).collect()
}

fn read_below(root: &Path, folder: &Path, files: &mut HashMap<PathBuf, Bytes>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            read_below(root, &path, files)?;
        } else {
            let content = fs::read(&path).with_context(|| path.display().to_string())?;
            files.insert(path.strip_prefix(root)?.to_owned(), content.into());
        }
    }
    Ok(())
}

/// Its own metadata, too.
#[derive(Clone)]
pub struct OpenFile {
    content: Cursor<Bytes>,
    modified: Option<SystemTime>,
}

impl Backend for Pages {
    type File = OpenFile;
    type Metadata = OpenFile;
    type OpenFuture = Ready<io::Result<OpenFile>>;
    type MetadataFuture = Ready<io::Result<OpenFile>>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        ready(self.file(&path))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        ready(self.file(&path))
    }
}

impl File for OpenFile {
    type Metadata = Self;
    type MetadataFuture<'a> = Ready<io::Result<Self>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(self.clone()))
    }
}

impl Metadata for OpenFile {
    fn is_dir(&self) -> bool {
        false
    }

    fn modified(&self) -> io::Result<SystemTime> {
        self.modified.ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    fn len(&self) -> u64 {
        self.content.get_ref().len() as u64
    }
}

impl AsyncRead for OpenFile {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.content).poll_read(context, buffer)
    }
}

impl AsyncSeek for OpenFile {
    fn start_seek(mut self: Pin<&mut Self>, position: io::SeekFrom) -> io::Result<()> {
        Pin::new(&mut self.content).start_seek(position)
    }

    fn poll_complete(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(&mut self.content).poll_complete(context)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::{HeaderMap, Request, StatusCode, header};
    use include_dir::{DirEntry, File};
    use tower::ServiceExt;

    use super::*;
    use crate::app;

    const PAGE: &[u8] = b"<head><!--head--><!--/head--><meta content=\"%ANON_KEY%\"></head><body><div id=\"root\"></div></body>";
    const SHELLS: &[u8] = br#"{"/pricing":"<main>Prices</main>"}"#;

    static FILES: Dir<'_> = Dir::new(
        "",
        &[
            DirEntry::Dir(Dir::new(
                ".vite",
                &[
                    DirEntry::File(File::new(".vite/first-requests.json", b"{}")),
                    DirEntry::File(File::new(".vite/manifest.json", b"{}")),
                    DirEntry::File(File::new(".vite/shells.json", SHELLS)),
                ],
            )),
            DirEntry::Dir(Dir::new(
                "assets",
                &[
                    DirEntry::File(File::new("assets/index.js", b"console.log('hello')")),
                    DirEntry::File(File::new("assets/index.js.br", b"smaller")),
                ],
            )),
            DirEntry::File(File::new("icon.svg", b"<svg/>")),
            DirEntry::File(File::new("index.html", PAGE)),
        ],
    );

    fn pages() -> Pages {
        let folder = tempfile::tempdir().unwrap();
        FILES.extract(folder.path()).unwrap();
        Pages::read(folder.path()).unwrap()
    }

    async fn answer(request: axum::http::request::Builder) -> (StatusCode, HeaderMap, Bytes) {
        let app = app(&pages(), "the key", "https://serasi.test", axum::Router::new()).unwrap();
        let (parts, body) = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap().into_parts();
        (parts.status, parts.headers, to_bytes(body, 10_000).await.unwrap())
    }

    fn get(path: &str) -> axum::http::request::Builder {
        Request::get(path)
    }

    #[test]
    fn a_released_program_contains_the_files_of_the_folder() {
        assert_eq!(embedded_below(&FILES), *pages().files);
        assert_eq!(pages().files.len(), 7);
    }

    #[tokio::test]
    async fn only_pages_and_visible_files_are_served() {
        for (request, expected) in [
            (get("/pricing"), 200),
            (get("/nowhere"), 404),
            (get("/icon.svg"), 200),
            (get("/missing.svg"), 404),
            (get("/.vite/manifest.json"), 404),
            (get("/assets/../icon.svg"), 404),
            (Request::post("/icon.svg"), 405),
        ] {
            let what = format!("{:?} {:?}", request.method_ref(), request.uri_ref());
            assert_eq!(answer(request).await.0, expected, "{what}");
        }
        let (status, _, body) = answer(get("/assets/index.js").header(header::RANGE, "bytes=2-5")).await;
        assert_eq!((status, &body[..]), (StatusCode::PARTIAL_CONTENT, &b"nsol"[..]));
    }

    #[tokio::test]
    async fn files_are_compressed_ahead_and_revalidated() {
        let (_, headers, body) = answer(get("/assets/index.js").header(header::ACCEPT_ENCODING, "br")).await;
        assert_eq!(
            (&headers[header::CONTENT_ENCODING], &body[..]),
            (&"br".parse().unwrap(), &b"smaller"[..])
        );
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        let app = app(&pages(), "the key", "https://serasi.test", axum::Router::new()).unwrap();
        let first = app.clone().oneshot(get("/icon.svg").body(Body::empty()).unwrap()).await.unwrap();
        let changed = &first.headers()[header::LAST_MODIFIED];
        let again = get("/icon.svg").header(header::IF_MODIFIED_SINCE, changed).body(Body::empty());
        assert_eq!(app.oneshot(again.unwrap()).await.unwrap().status(), StatusCode::NOT_MODIFIED);
        let page = String::from_utf8(answer(get("/pricing")).await.2.to_vec()).unwrap();
        assert!(page.contains("<main>Prices</main>") && page.contains("the key"), "{page}");
    }

    #[test]
    fn a_missing_file_of_the_build_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Pages::read(folder.path()).unwrap().text("index.html").unwrap_err();
        assert!(error.to_string().starts_with("index.html is missing"), "{error}");
    }
}
