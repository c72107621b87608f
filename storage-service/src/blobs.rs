//! Blobs that no row names any more.

use platform::database::Transaction;
use uuid::Uuid;

use crate::commit;
use crate::domain::version::Version;
use crate::error::Result;
use crate::state::AppState;

/// Commits a transaction that deletes these rows, then removes their blobs. Without the place where blobs lie
/// nothing is deleted: the blobs would come back with it, and nobody would know of them.
///
/// # Errors
/// When that place is gone, or when it is not certain that the rows are deleted. No blob is removed then.
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

/// Removes them, even if the client goes away meanwhile. What can't be removed is an orphan: it wastes
/// space, nothing else, so the request that is already done must not fail for it.
pub async fn remove(state: &AppState, versions: impl IntoIterator<Item = Version>) {
    let (state, versions) = (state.clone(), versions.into_iter().collect::<Vec<_>>());
    if versions.is_empty() {
        return;
    }
    let removing = tokio::spawn(async move {
        for version in versions {
            if let Err(error) = state.backend.remove(version).await {
                tracing::warn!(%version, %error, "a blob that no row names could not be removed");
            }
            let variants = state.variants.clone();
            let _ = tokio::task::spawn_blocking(move || variants.forget(version)).await;
        }
    });
    if let Err(error) = removing.await {
        tracing::warn!(%error, "removing blobs was cut short");
    }
}
