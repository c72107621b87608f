//! Removes blobs that no row refers to any more.

use platform::database::Transaction;
use uuid::Uuid;

use crate::backend;
use crate::commit;
use crate::domain::version::Version;
use crate::error::Result;
use crate::state::AppState;

/// Commits a transaction that deletes these rows, then removes their blobs. If the blob store is unavailable,
/// nothing is deleted: the blobs would reappear with the store, and no row would refer to them.
///
/// # Errors
/// Fails when the blob store is unavailable, or when it is not certain that the rows are deleted. In both
/// cases no blob is removed.
pub async fn remove_with_rows(
    state: &AppState,
    transaction: Transaction,
    rows: impl IntoIterator<Item = (Uuid, Option<Version>)>,
) -> Result<()> {
    let (ids, versions): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    if ids.is_empty() {
        return Ok(transaction.rollback().await?);
    }
    state.backend.present().await?;
    commit::removal(&state.pool, transaction, &ids).await?;
    remove(state, versions.into_iter().flatten()).await;
    Ok(())
}

/// Removes the blob that a failed operation may have stored. The client does not wait for an unavailable
/// store.
pub async fn remove_failed(state: &AppState, version: Version, failure: &std::io::Error) {
    let (unavailable, state) = (backend::is_unavailable(failure), state.clone());
    let removing = tokio::spawn(async move { remove(&state, [version]).await });
    if !unavailable && let Err(error) = removing.await {
        tracing::warn!(%error, "removing a blob was interrupted");
    }
}

/// Removes the blobs, even if the client disconnects in the meantime. A blob that can't be removed is an
/// orphan that only wastes space, so it must not fail a request that has already succeeded.
pub async fn remove(state: &AppState, versions: impl IntoIterator<Item = Version>) {
    let (state, versions) = (state.clone(), versions.into_iter().collect::<Vec<_>>());
    if versions.is_empty() {
        return;
    }
    let removing = tokio::spawn(async move {
        for version in versions {
            if let Err(error) = state.backend.remove(version).await {
                tracing::warn!(%version, %error, "can't remove an orphaned blob");
            }
            state.variants.remove_soon(version).await;
        }
    });
    if let Err(error) = removing.await {
        tracing::warn!(%error, "removing blobs was interrupted");
    }
}
