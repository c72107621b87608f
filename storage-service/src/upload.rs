//! An upload from its first byte to its row, shared by all routes. The order of checks is bucket, type,
//! declared size, key, permission; then the body is read. The blob is stored before the row.

pub mod incoming;
mod receive;

use axum::extract::Request;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::commit::{CommitError, commit, find_outcome};
use crate::domain::mime_type;
use crate::domain::object_path::ObjectPath;
use crate::domain::owner::Owner;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::staging::Staged;
use crate::state::AppState;
use crate::store::buckets::Bucket;
use crate::store::objects::{self, NewObject, Object, OnConflict, Written};
use crate::times;
use incoming::{Declared, Incoming};
use pictures::Format;

/// On whose behalf an upload is made.
pub enum Permission<'a> {
    /// Row policies decide.
    Ask(&'a Caller),
    /// The signed URL grants permission.
    Signed(Owner),
}

pub struct Target {
    pub bucket: String,
    /// The requested key, not validated yet: bucket and type are checked first.
    pub key: String,
    pub conflict: OnConflict,
}

pub async fn upload(
    state: &AppState,
    target: Target,
    permission: Permission<'_>,
    request: Request,
) -> Result<Object> {
    let bucket = state.bucket(&target.bucket).await;
    let mut incoming = Incoming::open(request, state.max_object_bytes).await?;
    let received = async { receive(state, &bucket?, target, permission, &mut incoming).await };
    match received.await {
        // Detached, so that a client that disconnects now does not leave a blob without its row.
        Ok((object, staged)) => {
            let state = state.clone();
            let storing = tokio::spawn(async move { store_upload(&state, &object, staged).await });
            storing.await.map_err(|error| ApiError::Internal(error.into()))?
        }
        Err(refusal) => {
            incoming.discard(state.max_object_bytes.saturating_mul(2)).await;
            Err(refusal)
        }
    }
}

/// Runs all checks that can fail, in the order that clients expect.
async fn receive(
    state: &AppState,
    bucket: &Bucket,
    target: Target,
    permission: Permission<'_>,
    incoming: &mut Incoming,
) -> Result<(NewObject, Staged)> {
    let rules = BucketRules::new(state, bucket);
    let marker = ObjectPath::parse(&target.key).is_ok_and(|path| path.is_folder_marker());
    rules.check_declared_type(incoming.content_type(), marker)?;
    let limit = if marker { 0 } else { rules.limit };
    if incoming.declared_size().is_some_and(|size| size > limit) {
        return Err(ApiError::TooLarge);
    }
    let path = rules.path(&target.key)?;
    let owner = permit(state, &bucket.id, &path, target.conflict, permission).await?;
    let images = Some(bucket).filter(|_| rules.pictures_only && !marker);
    let (staged, format) = receive::receive(state, incoming, limit, images, &owner).await?;
    let mut declared = incoming.finish().await?;
    if format.is_some() {
        // The bytes were read as an image, so they aren't compressed.
        declared.content_encoding = None;
    }
    let mime_type = format.map(Format::mime_type).unwrap_or(&declared.content_type);
    let metadata = metadata(state, mime_type, &declared, &staged);
    let object = NewObject {
        bucket: bucket.id.clone(),
        name: path.as_str().to_owned(),
        owner,
        version: Version::random(),
        metadata,
        user_metadata: declared.user_metadata,
        conflict: target.conflict,
    };
    Ok((object, staged))
}

/// The upload rules of a bucket.
pub struct BucketRules<'a> {
    pub bucket: &'a Bucket,
    pub pictures_only: bool,
    pub limit: u64,
}

impl<'a> BucketRules<'a> {
    pub fn new(state: &AppState, bucket: &'a Bucket) -> Self {
        let own =
            bucket.file_size_limit.and_then(|limit| u64::try_from(limit).ok()).filter(|limit| *limit > 0);
        Self {
            bucket,
            pictures_only: state.is_for_images(&bucket.id),
            limit: own.unwrap_or(u64::MAX).min(state.max_object_bytes),
        }
    }

    /// # Errors
    /// Fails when this bucket does not accept the key.
    pub fn path(&self, key: &str) -> Result<ObjectPath> {
        let path = ObjectPath::parse(key)?;
        if self.pictures_only && path.has_empty_segment() {
            return Err(ApiError::InvalidKey(format!("Invalid key: {key}")));
        }
        Ok(path)
    }

    /// Images are checked by their bytes later. Folder markers have no type.
    pub fn check_declared_type(&self, declared: &str, marker: bool) -> Result<()> {
        if self.pictures_only
            || marker
            || mime_type::allows(self.bucket.allowed_mime_types.as_deref(), declared)
        {
            return Ok(());
        }
        Err(ApiError::InvalidMimeType(declared.to_owned()))
    }
}

/// Inserts the row with the caller's role and rolls back: without permission, the client need not send the
/// bytes.
async fn permit(
    state: &AppState,
    bucket: &str,
    path: &ObjectPath,
    conflict: OnConflict,
    permission: Permission<'_>,
) -> Result<Owner> {
    match permission {
        Permission::Ask(caller) => {
            try_as(state, caller, bucket, path, conflict, "storage.object.upload").await?;
            Ok(caller.owner())
        }
        Permission::Signed(owner) => {
            let there = objects::find(&mut *state.pool.acquire().await?, bucket, path.as_str()).await?;
            if conflict == OnConflict::Refuse && there.is_some() {
                return Err(ApiError::KeyAlreadyExists);
            }
            Ok(owner)
        }
    }
}

/// Checks whether row policies allow this caller to write this key.
pub async fn try_as(
    state: &AppState,
    caller: &Caller,
    bucket: &str,
    path: &ObjectPath,
    conflict: OnConflict,
    operation: &str,
) -> Result<()> {
    let mut transaction = caller.begin(state, operation).await?;
    let attempt = NewObject {
        bucket: bucket.to_owned(),
        name: path.as_str().to_owned(),
        owner: caller.owner(),
        version: Version::random(),
        metadata: json!({}),
        user_metadata: None,
        conflict,
    };
    objects::try_write(&mut transaction, &attempt).await?;
    Ok(transaction.rollback().await?)
}

/// Stores the blob, then the row. If the row is rejected, the blob is removed.
async fn store_upload(state: &AppState, object: &NewObject, staged: Staged) -> Result<Object> {
    if let Err(error) = state.backend.put(object.version, staged).await {
        // A part of it may have been stored.
        crate::blobs::remove_failed(state, object.version, &error).await;
        return Err(error.into());
    }
    write_row(state, object).await
}

/// Writes the row of a stored blob.
pub async fn write_row(state: &AppState, object: &NewObject) -> Result<Object> {
    let pictures = state.is_for_images(&object.bucket);
    let writing = async {
        let mut transaction = state.pool.begin().await?;
        let quota = pictures.then_some(&state.quota);
        let written = objects::write(&mut transaction, object, quota).await?;
        Ok::<_, ApiError>((transaction, written))
    };
    let (transaction, written) = match writing.await {
        Ok(begun) => begun,
        // Nothing has been committed, so no row refers to the blob.
        Err(error) => {
            crate::blobs::remove(state, [object.version]).await;
            return Err(error);
        }
    };
    match commit(transaction).await {
        Ok(()) => {
            crate::blobs::remove(state, written.replaced).await;
            if pictures {
                let _ = state.uploads.try_send((object.version, written.object.size()));
            }
            Ok(written.object)
        }
        Err(CommitError::RolledBack(error)) => {
            crate::blobs::remove(state, [object.version]).await;
            Err(error.into())
        }
        Err(CommitError::Unclear(error)) => settle(state, object, written, error.into()).await,
    }
}

/// Finds out whether the row was written, and removes the blob that no row refers to. If that can't be
/// determined, both blobs stay, and the sweeper removes the orphan later.
async fn settle(state: &AppState, object: &NewObject, written: Written, error: ApiError) -> Result<Object> {
    let (key, ids) = ((object.bucket.as_str(), object.name.as_str()), [written.object.id]);
    let named = find_outcome(&state.pool, Some(key), &ids).await?.as_ref().and_then(Object::blob);
    let unnamed = [Some(object.version), written.replaced].into_iter().flatten();
    crate::blobs::remove(state, unnamed.filter(|version| Some(*version) != named)).await;
    if named == Some(object.version) { Ok(written.object) } else { Err(error) }
}

/// The metadata of the stored bytes, with the member names that clients expect.
fn metadata(state: &AppState, mime_type: &str, declared: &Declared, staged: &Staged) -> Value {
    let mut metadata = json!({
        "eTag": format!("\"{}\"", staged.md5),
        "size": staged.size,
        "mimetype": mime_type,
        "cacheControl": declared.cache_control,
        "lastModified": times::iso(state.clock.now()),
        "contentLength": staged.size,
        "httpStatusCode": 200,
    });
    if let Some(encoding) = &declared.content_encoding {
        metadata["contentEncoding"] = Value::from(encoding.as_str());
    }
    if let Some(robots) = &declared.robots {
        metadata["xRobotsTag"] = Value::from(robots.as_str());
    }
    metadata
}
