//! The built frontend: the files of a folder, or those embedded in a released program. Both are served by the same code.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::time::SystemTime;

use anyhow::Context as _;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tower_http::services::fs::{Backend, File, Metadata, TokioBackend, TokioFile};

/// Names and contents, sorted by name.
type Files = &'static [(&'static str, &'static [u8])];

static EMBEDDED: Files = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// When the program was installed, which is when its pages last changed.
static INSTALLED: LazyLock<Option<SystemTime>> =
    LazyLock::new(|| std::env::current_exe().ok()?.metadata().ok()?.modified().ok());

#[derive(Clone)]
pub enum Pages {
    Folder(PathBuf),
    Embedded(Files),
}

impl Pages {
    /// `None` unless this is a released program.
    pub fn embedded() -> Option<Self> {
        (!EMBEDDED.is_empty()).then_some(Self::Embedded(EMBEDDED))
    }

    /// A text file of the build.
    ///
    /// # Errors
    /// When it is missing. The message names it.
    pub fn text(&self, name: &str) -> anyhow::Result<String> {
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name);
                std::fs::read_to_string(&file).with_context(|| format!("{} can't be read", file.display()))
            }
            Self::Embedded(files) => {
                let content = find(files, Path::new(name)).with_context(|| format!("{name} is missing"))?;
                Ok(String::from_utf8(content.to_vec()).with_context(|| name.to_owned())?)
            }
        }
    }
}

/// `ServeDir` names files by paths such as `./assets/index.js`.
fn find(files: Files, path: &Path) -> Option<&'static [u8]> {
    let name = path.strip_prefix(".").unwrap_or(path).to_str()?;
    let place = files.binary_search_by(|(other, _)| (*other).cmp(name)).ok()?;
    files.get(place).map(|(_, content)| *content)
}

fn found(files: Files, path: &Path) -> io::Result<&'static [u8]> {
    find(files, path).ok_or_else(|| io::ErrorKind::NotFound.into())
}

pub enum OpenFile {
    OnDisk(TokioFile),
    Embedded(Cursor<&'static [u8]>),
}

pub enum About {
    OnDisk(std::fs::Metadata),
    /// The size in bytes.
    Embedded(u64),
}

impl About {
    fn of(content: &[u8]) -> Self {
        Self::Embedded(content.len() as u64)
    }
}

type Later<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

impl Backend for Pages {
    type File = OpenFile;
    type Metadata = About;
    type OpenFuture = Later<'static, OpenFile>;
    type MetadataFuture = Later<'static, About>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        match self {
            Self::Folder(folder) => {
                let file = TokioBackend.open(folder.join(path));
                Box::pin(async move { Ok(OpenFile::OnDisk(file.await?)) })
            }
            Self::Embedded(files) => {
                let content = found(files, &path);
                Box::pin(async move { Ok(OpenFile::Embedded(Cursor::new(content?))) })
            }
        }
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        match self {
            Self::Folder(folder) => {
                let about = TokioBackend.metadata(folder.join(path));
                Box::pin(async move { Ok(About::OnDisk(about.await?)) })
            }
            Self::Embedded(files) => {
                let about = found(files, &path).map(About::of);
                Box::pin(async move { about })
            }
        }
    }
}

impl File for OpenFile {
    type Metadata = About;
    type MetadataFuture<'a> = Later<'a, About>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        Box::pin(async move {
            match self {
                Self::OnDisk(file) => Ok(About::OnDisk(file.metadata().await?)),
                Self::Embedded(content) => Ok(About::of(content.get_ref())),
            }
        })
    }
}

impl Metadata for About {
    fn is_dir(&self) -> bool {
        match self {
            Self::OnDisk(about) => about.is_dir(),
            Self::Embedded(_) => false,
        }
    }

    fn modified(&self) -> io::Result<SystemTime> {
        match self {
            Self::OnDisk(about) => about.modified(),
            Self::Embedded(_) => INSTALLED.ok_or_else(|| io::ErrorKind::Unsupported.into()),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::OnDisk(about) => about.len(),
            Self::Embedded(bytes) => *bytes,
        }
    }
}

impl AsyncRead for OpenFile {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::OnDisk(file) => Pin::new(file).poll_read(context, buffer),
            Self::Embedded(content) => Pin::new(content).poll_read(context, buffer),
        }
    }
}

impl AsyncSeek for OpenFile {
    fn start_seek(mut self: Pin<&mut Self>, position: io::SeekFrom) -> io::Result<()> {
        match &mut *self {
            Self::OnDisk(file) => Pin::new(file).start_seek(position),
            Self::Embedded(content) => Pin::new(content).start_seek(position),
        }
    }

    fn poll_complete(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<u64>> {
        match &mut *self {
            Self::OnDisk(file) => Pin::new(file).poll_complete(context),
            Self::Embedded(content) => Pin::new(content).poll_complete(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, Bytes, to_bytes};
    use axum::http::{HeaderMap, Request, StatusCode, header};
    use tower::ServiceExt;

    use super::super::app;
    use super::*;

    const FILES: Files = &[
        (".vite/first-requests.json", b"{}"),
        (".vite/manifest.json", b"{}"),
        (".vite/shells.json", br#"{"/pricing":"<main>Prices</main>"}"#),
        ("assets/index.js", b"console.log('hello')"),
        ("assets/index.js.br", b"smaller"),
        ("icon.svg", b"<svg/>"),
        (
            "index.html",
            b"<head><!--head--><!--/head--><meta content=\"%ANON_KEY%\"></head><body><div id=\"root\"></div></body>",
        ),
    ];

    async fn answer(pages: &Pages, request: Request<Body>) -> (StatusCode, HeaderMap, Bytes) {
        let gateway = axum::Router::new();
        let app = app(pages, "the key", "https://serasi.test", gateway).unwrap();
        let (parts, body) = app.oneshot(request).await.unwrap().into_parts();
        (parts.status, parts.headers, to_bytes(body, 10_000).await.unwrap())
    }

    fn get(path: &str) -> axum::http::request::Builder {
        Request::get(path)
    }

    #[tokio::test]
    async fn embedded_pages_are_answered_like_those_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in FILES {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
        }
        let (on_disk, embedded) = (Pages::Folder(folder.path().to_owned()), Pages::Embedded(FILES));
        let requests = || {
            [
                get("/pricing").body(Body::empty()),
                get("/nowhere").body(Body::empty()),
                get("/icon.svg").body(Body::empty()),
                get("/missing.svg").body(Body::empty()),
                get("/.vite/manifest.json").body(Body::empty()),
                get("/assets/index.js").header(header::ACCEPT_ENCODING, "br").body(Body::empty()),
                get("/assets/index.js").header(header::RANGE, "bytes=2-5").body(Body::empty()),
                get("/assets/../icon.svg").body(Body::empty()),
                Request::post("/icon.svg").body(Body::empty()),
            ]
            .map(Result::unwrap)
        };
        for (one, other) in requests().into_iter().zip(requests()) {
            let what = format!("{} {} {:?}", one.method(), one.uri(), one.headers());
            let (mut expected, mut found) = (answer(&on_disk, one).await, answer(&embedded, other).await);
            // They contain the modification time of the file or of the program.
            for header in [header::LAST_MODIFIED, header::ETAG] {
                let (one, other) = (expected.1.remove(&header), found.1.remove(&header));
                assert_eq!(one.is_some(), other.is_some(), "{what}: {header}");
            }
            assert_eq!(expected, found, "{what}");
        }
    }

    #[tokio::test]
    async fn embedded_files_are_compressed_ahead_and_revalidated() {
        let pages = Pages::Embedded(FILES);
        let request = get("/assets/index.js").header(header::ACCEPT_ENCODING, "br").body(Body::empty());
        let (_, headers, body) = answer(&pages, request.unwrap()).await;
        assert_eq!(
            (&headers[header::CONTENT_ENCODING], &body[..]),
            (&"br".parse().unwrap(), &b"smaller"[..])
        );
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        let (_, headers, _) = answer(&pages, get("/icon.svg").body(Body::empty()).unwrap()).await;
        let changed = headers[header::LAST_MODIFIED].clone();
        let again = get("/icon.svg").header(header::IF_MODIFIED_SINCE, changed).body(Body::empty());
        assert_eq!(answer(&pages, again.unwrap()).await.0, StatusCode::NOT_MODIFIED);
        let (_, _, page) = answer(&pages, get("/pricing").body(Body::empty()).unwrap()).await;
        let page = String::from_utf8(page.to_vec()).unwrap();
        assert!(page.contains("<main>Prices</main>") && page.contains("the key"), "{page}");
    }

    #[test]
    fn a_missing_file_of_the_build_is_named() {
        let error = Pages::Embedded(&[]).text("index.html").unwrap_err();
        assert_eq!(error.to_string(), "index.html is missing");
    }
}
