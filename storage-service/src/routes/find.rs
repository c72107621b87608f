//! Finds the object of a read request, with the reader's permissions.

use std::sync::Arc;

use super::object_target::ObjectTarget;
use crate::caller::{Caller, MaybeCaller, hide_denied};
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::buckets;
use crate::store::objects::{self, Object};

#[derive(Clone, Copy)]
pub enum Reader<'a> {
    /// Public buckets only, regardless of row policies.
    Anybody,
    /// Everything that row policies show this caller.
    Caller(&'a Caller),
    /// Anonymous if the bucket is public, otherwise as the caller, if there is one.
    Either(&'a MaybeCaller),
    /// A signed URL that has been verified.
    Signature,
}

pub async fn find(state: &AppState, target: &ObjectTarget, reader: Reader<'_>) -> Result<Arc<Object>> {
    match reader {
        Reader::Anybody => find_public(state, target).await,
        Reader::Caller(caller) => find_visible(state, caller, target).await,
        Reader::Either(caller) => match (find_public(state, target).await, &caller.0) {
            (Err(ApiError::NoSuchBucket), Some(caller)) => find_visible(state, caller, target).await,
            (found, _) => found,
        },
        Reader::Signature => {
            let found = objects::find(&mut *state.pool.acquire().await?, &target.bucket, &target.key).await?;
            found.map(Arc::new).ok_or(ApiError::NoSuchKey)
        }
    }
}

async fn find_public(state: &AppState, target: &ObjectTarget) -> Result<Arc<Object>> {
    state.public_objects.find(&target.bucket, &target.key).await?.ok_or(ApiError::NoSuchKey)
}

async fn find_visible(state: &AppState, caller: &Caller, target: &ObjectTarget) -> Result<Arc<Object>> {
    buckets::find(&mut *state.pool.acquire().await?, &target.bucket).await?.ok_or(ApiError::NoSuchBucket)?;
    let mut transaction = caller.begin(state, "storage.object.get_authenticated").await?;
    let object = hide_denied(objects::find(&mut transaction, &target.bucket, &target.key).await)?;
    transaction.rollback().await?;
    object.map(Arc::new).ok_or(ApiError::NoSuchKey)
}
