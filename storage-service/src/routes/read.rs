//! Which object a request reads, and with whose permissions.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use platform::claims::Claims;

use super::object_target::ObjectTarget;
use super::signed_token::{Scope, verify};
use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::objects::{self, Object};

/// An extension of each route that reads objects.
#[derive(Clone, Copy)]
pub enum Access {
    /// Public buckets only, regardless of row policies.
    Public,
    /// Everything that row policies show the caller.
    Authenticated,
    /// Anonymous if the bucket is public, otherwise as the caller, if there is one.
    Either,
    /// With a signed URL.
    Signed,
}

pub struct Read {
    target: ObjectTarget,
    reader: Reader,
}

enum Reader {
    Anybody,
    Caller(Caller),
    Either(Option<Caller>),
    /// The claims of a verified token.
    Signature(Claims),
}

impl FromRequestParts<AppState> for Read {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let reader = match parts.extensions.get().copied().unwrap_or(Access::Public) {
            Access::Public => Reader::Anybody,
            Access::Authenticated => Reader::Caller(Caller::from_request_parts(parts, state).await?),
            Access::Either => Reader::Either(Caller::from_headers(&parts.headers, state).ok()),
            Access::Signed => {
                let target = ObjectTarget::from_request_parts(parts, state).await?;
                Reader::Signature(verify(state, &parts.uri, Scope::Download, &target)?)
            }
        };
        Ok(Self { target: ObjectTarget::from_request_parts(parts, state).await?, reader })
    }
}

impl Read {
    pub async fn find(&self, state: &AppState) -> Result<Arc<Object>> {
        let target = &self.target;
        match &self.reader {
            Reader::Anybody => find_public(state, target).await,
            Reader::Caller(caller) => find_visible(state, caller, target).await,
            Reader::Either(caller) => match (find_public(state, target).await, caller) {
                (Err(ApiError::NoSuchBucket), Some(caller)) => find_visible(state, caller, target).await,
                (found, _) => found,
            },
            Reader::Signature(_) => {
                let mut connection = state.pool.acquire().await?;
                let found = objects::find(&mut connection, &target.bucket, &target.key).await?;
                found.map(Arc::new).ok_or(ApiError::NoSuchKey)
            }
        }
    }

    /// The claims of a signed URL.
    pub fn signed(&self) -> Option<&Claims> {
        if let Reader::Signature(claims) = &self.reader { Some(claims) } else { None }
    }

    /// When the signed URL expires.
    pub fn expires(&self) -> Option<DateTime<Utc>> {
        self.signed()?.seconds("exp").and_then(|end| DateTime::from_timestamp(end, 0))
    }
}

async fn find_public(state: &AppState, target: &ObjectTarget) -> Result<Arc<Object>> {
    state.public_objects.find(&target.bucket, &target.key).await
}

/// An object that row policies show the caller.
pub async fn find_visible(state: &AppState, caller: &Caller, target: &ObjectTarget) -> Result<Arc<Object>> {
    state.bucket(&target.bucket).await?;
    let mut transaction = caller.begin(state, "storage.object.get_authenticated").await?;
    let object = hide_denied(objects::find(&mut transaction, &target.bucket, &target.key).await)?;
    transaction.rollback().await?;
    object.map(Arc::new).ok_or(ApiError::NoSuchKey)
}
