//! The request body, raw or multipart, as declared metadata and a byte stream.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};
use multer::{Constraints, Field, Multipart, SizeLimit};
use serde_json::Value;

use crate::domain::robots;
use crate::error::{ApiError, Result};

const MAX_FIELDS: usize = 10;
const MAX_FIELD_BYTES: usize = 64 * 1024;
const MAX_HEADER_BYTES: usize = 1024;
/// Additional bytes of a form besides its file.
const FORM_OVERHEAD: u64 = MAX_FIELDS as u64 * (MAX_FIELD_BYTES as u64 + 4096);
/// What the form parser may hold in memory: more than the few chunks that it reads ahead, and the header lines of all fields. It
/// buffers them however long they are.
const MAX_BUFFERED: u64 = 256 * 1024;
const DISCARD_TIME: Duration = Duration::from_secs(5);

pub(super) struct Incoming {
    declared: Declared,
    content: Content,
    /// Set for raw bodies only, where the Content-Length is the object's size.
    declared_size: Option<u64>,
}

#[derive(Default)]
pub(super) struct Declared {
    pub content_type: String,
    pub cache_control: String,
    /// How the client compressed the bytes. They are stored and sent unchanged.
    pub content_encoding: Option<String>,
    pub user_metadata: Option<Value>,
    pub robots: Option<String>,
}

enum Content {
    Raw(BoxStream<'static, io::Result<Bytes>>),
    Form(Box<Form>),
}

/// The bytes that the form parser has read and not returned yet.
type Buffered = Arc<AtomicU64>;

struct Form {
    parser: Multipart<'static>,
    buffered: Buffered,
    /// `None` once it has been read to its end.
    file: Option<Field<'static>>,
    /// The number of other fields so far.
    fields: usize,
}

impl Incoming {
    /// Reads up to the start of the object's bytes.
    pub(super) async fn open(request: Request, max_object_bytes: u64) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let robots = text(&parts.headers, "x-robots-tag").filter(|tag| robots::is_valid(tag));
        let robots = robots.map(str::to_owned);
        let content_type =
            text(&parts.headers, header::CONTENT_TYPE.as_str()).unwrap_or("application/octet-stream");
        let length = body.size_hint().exact();
        if content_type.to_ascii_lowercase().starts_with("multipart/form-data") {
            let limit = max_object_bytes.saturating_add(FORM_OVERHEAD);
            if length.is_some_and(|length| length > limit) {
                Self::raw(Declared::default(), body).discard(limit.saturating_mul(2)).await;
                return Err(ApiError::TooLarge);
            }
            let mut form = Form::new(chunks(body), content_type, limit)?;
            let mut declared =
                Declared { cache_control: "no-cache".to_owned(), robots, ..Declared::default() };
            let file = form.next_file(&mut declared).await?;
            let file = file.ok_or_else(|| ApiError::InvalidRequest("No content provided".to_owned()))?;
            if declared.content_type.is_empty() {
                let content_type = text(file.headers(), header::CONTENT_TYPE.as_str());
                declared.content_type = content_type.unwrap_or("application/octet-stream").to_owned();
            }
            form.file = Some(file);
            return Ok(Self { declared, content: Content::Form(Box::new(form)), declared_size: None });
        }
        let declared = Declared {
            content_type: content_type.to_owned(),
            cache_control: text(&parts.headers, "cache-control").unwrap_or("no-cache").to_owned(),
            content_encoding: text(&parts.headers, "content-encoding")
                .filter(|encoding| !encoding.is_empty())
                .map(str::to_owned),
            user_metadata: text(&parts.headers, "x-metadata").and_then(decoded_metadata),
            robots,
        };
        Ok(Self::raw(declared, body))
    }

    fn raw(declared: Declared, body: Body) -> Self {
        let declared_size = body.size_hint().exact();
        Self { declared, content: Content::Raw(chunks(body)), declared_size }
    }

    pub(super) fn content_type(&self) -> &str {
        &self.declared.content_type
    }

    pub(super) fn declared_size(&self) -> Option<u64> {
        self.declared_size
    }

    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>> {
        match &mut self.content {
            Content::Raw(stream) => stream.next().await.transpose().map_err(|_| cut_short()),
            Content::Form(form) => {
                let Some(file) = &mut form.file else { return Ok(None) };
                let chunk = file.chunk().await.map_err(unreadable_form)?;
                Ok(chunk.inspect(|chunk| form.returned(chunk)))
            }
        }
    }

    /// Keeps reading after an error, within limits of time and size, so that the client can read the response
    /// instead of failing to write.
    pub(super) async fn discard(&mut self, max_bytes: u64) {
        let discarding = async {
            let mut left = max_bytes;
            while let Ok(Some(chunk)) = self.chunk().await {
                left = left.saturating_sub(chunk.len() as u64);
                if left == 0 {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(DISCARD_TIME, discarding).await;
    }

    /// The declared metadata, including fields after the file of a form.
    pub(super) async fn finish(&mut self) -> Result<Declared> {
        let mut declared = std::mem::take(&mut self.declared);
        if let Content::Form(form) = &mut self.content {
            // The parser returns the next field only after this one has been dropped.
            drop(form.file.take());
            if form.next_file(&mut declared).await?.is_some() {
                return Err(ApiError::InvalidRequest("only one file can be uploaded at a time".to_owned()));
            }
        }
        let encoding = declared.content_encoding.as_deref().unwrap_or_default();
        if ![&declared.content_type, &declared.cache_control, encoding].into_iter().all(fits_a_header) {
            return Err(ApiError::InvalidRequest(
                "contentType, cacheControl and contentEncoding must fit a header".to_owned(),
            ));
        }
        Ok(declared)
    }
}

impl Declared {
    fn set(&mut self, member: Option<&str>, value: String) {
        match member {
            Some("cacheControl") if !value.is_empty() => self.cache_control = format!("max-age={value}"),
            Some("contentType") if !value.is_empty() => self.content_type = value,
            Some("contentEncoding") if !value.is_empty() => self.content_encoding = Some(value),
            // Malformed metadata is ignored, as in the header.
            Some("metadata" | "userMetadata") => self.user_metadata = serde_json::from_str(&value).ok(),
            _ => (),
        }
    }
}

impl Form {
    fn new(body: BoxStream<'static, io::Result<Bytes>>, content_type: &str, limit: u64) -> Result<Self> {
        let buffered = Buffered::default();
        let boundary = multer::parse_boundary(content_type).map_err(unreadable_form)?;
        let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(limit));
        let counted = Arc::clone(&buffered);
        let limited = body.map(move |chunk| {
            let chunk = chunk?;
            let length = chunk.len() as u64;
            let is_over = counted.fetch_add(length, Ordering::Relaxed) + length > MAX_BUFFERED;
            if is_over { Err(io::Error::from(io::ErrorKind::FileTooLarge)) } else { Ok(chunk) }
        });
        let parser = Multipart::with_constraints(limited, boundary, constraints);
        Ok(Self { parser, buffered, file: None, fields: 0 })
    }

    /// Reads the fields before the next file.
    async fn next_file(&mut self, declared: &mut Declared) -> Result<Option<Field<'static>>> {
        while let Some(mut field) = self.parser.next_field().await.map_err(unreadable_form)? {
            // Supabase clients send the file without a field name, browser forms with a file name.
            if field.file_name().is_some() || field.name().is_none_or(str::is_empty) {
                return Ok(Some(field));
            }
            self.fields += 1;
            let mut value = Vec::new();
            while let Some(chunk) = field.chunk().await.map_err(unreadable_form)? {
                self.returned(&chunk);
                value.extend_from_slice(&chunk);
                if value.len() > MAX_FIELD_BYTES {
                    return Err(ApiError::TooLarge);
                }
            }
            if self.fields > MAX_FIELDS {
                return Err(ApiError::InvalidRequest("reach fields limit".to_owned()));
            }
            declared.set(field.name(), String::from_utf8_lossy(&value).into_owned());
        }
        Ok(None)
    }

    /// The parser has returned a part of a field.
    fn returned(&self, chunk: &Bytes) {
        self.buffered.fetch_sub(chunk.len() as u64, Ordering::Relaxed);
    }
}

/// Streams the body, whose server disconnects slow clients.
///
/// Yields after every chunk: the form parser reads as long as data is available, and would hold a whole
/// upload in memory. It must not yield before the first chunk, which the parser would take for a malformed
/// form.
fn chunks(body: Body) -> BoxStream<'static, io::Result<Bytes>> {
    let chunks = stream::unfold((body.into_data_stream(), false), |(mut body, pause)| async move {
        if pause {
            tokio::task::yield_now().await;
        }
        let chunk = body.next().await?.map_err(io::Error::other);
        Some((chunk, (body, true)))
    });
    chunks.fuse().boxed()
}

fn unreadable_form(error: multer::Error) -> ApiError {
    match error {
        multer::Error::StreamSizeExceeded { .. } | multer::Error::FieldSizeExceeded { .. } => {
            ApiError::TooLarge
        }
        multer::Error::StreamReadFailed(cause) => match cause.downcast_ref().map(io::Error::kind) {
            Some(io::ErrorKind::FileTooLarge) => ApiError::TooLarge,
            _ => cut_short(),
        },
        other => ApiError::InvalidRequest(other.to_string()),
    }
}

fn cut_short() -> ApiError {
    ApiError::InvalidRequest("the request body ended early".to_owned())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Stored values are sent as headers of every download.
pub(crate) fn fits_a_header(text: &str) -> bool {
    text.len() <= MAX_HEADER_BYTES && HeaderValue::from_str(text).is_ok()
}

pub(crate) fn decoded_metadata(header: &str) -> Option<Value> {
    serde_json::from_slice(&STANDARD.decode(header).ok()?).ok()
}
