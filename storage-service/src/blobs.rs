//! Blobs that no row names any more.

use crate::domain::version::Version;
use crate::state::AppState;

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
