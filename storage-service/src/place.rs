//! The place of the blobs: made at the first start, and never again in the place of one that is gone.

use platform::database::Pool;

use crate::backend::{self, Backend};
use crate::error::Result;
use crate::store::objects;

/// Makes sure that blobs can be kept. Only while no row names a blob is a missing place made.
///
/// # Errors
/// When the place is gone although rows name blobs in it, or can't be made.
pub async fn ensure(pool: &Pool, backend: &dyn Backend) -> Result<()> {
    let Err(missing) = backend.present().await else { return Ok(()) };
    if !backend::is_unavailable(&missing) || objects::any_names_a_blob(&mut *pool.acquire().await?).await? {
        return Err(missing.into());
    }
    Ok(backend.prepare().await?)
}
