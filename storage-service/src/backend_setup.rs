//! Sets up the blob store: it is created at the first start, but never recreated when an existing one is
//! missing.

use platform::database::Pool;

use crate::backend::{self, Backend};
use crate::error::Result;
use crate::store::objects;

/// Ensures that blobs can be stored. A missing blob store is created only while no row refers to a blob.
///
/// # Errors
/// Fails when the blob store is missing although rows refer to blobs, or when it can't be created.
pub async fn ensure(pool: &Pool, backend: &dyn Backend) -> Result<()> {
    let Err(missing) = backend.present().await else { return Ok(()) };
    if !backend::is_unavailable(&missing) {
        return Err(missing.into());
    }
    if objects::any_names_a_blob(&mut *pool.acquire().await?).await? {
        // Another request or replica may have created the store and its first object since.
        return Ok(backend.present().await?);
    }
    Ok(backend.prepare().await?)
}
