//! Receives bytes into a staged file, within a size limit. Images are identified by their first bytes and
//! cleaned at the end.

use crate::backend_setup;
use crate::domain::mime_type;
use crate::domain::owner::Owner;
use crate::error::{ApiError, Result};
use crate::staging::Staged;
use crate::state::AppState;
use crate::store::buckets::Bucket;
use pictures::transform::check_decodable;
use pictures::{Format, Malformed, SNIFF_BYTES};

use super::incoming::Incoming;

const NO_SIZE: &str = "the image does not say how large it is";

/// `images`: the bucket, if it accepts only images of the types that it allows, which are checked by their bytes.
pub(super) async fn receive(
    state: &AppState,
    incoming: &mut Incoming,
    limit: u64,
    images: Option<&Bucket>,
    owner: &Owner,
) -> Result<(Staged, Option<Format>)> {
    backend_setup::ensure(&state.pool, &*state.backend).await?;
    let mut draft = state.staging.begin(owner, images.is_none())?;
    let mut start = Vec::with_capacity(SNIFF_BYTES);
    let mut format = None;
    while let Some(chunk) = incoming.chunk().await? {
        if draft.size() + chunk.len() as u64 > limit {
            return Err(ApiError::TooLarge);
        }
        if let Some(bucket) = images
            && start.len() < SNIFF_BYTES
        {
            let wanted = (SNIFF_BYTES - start.len()).min(chunk.len());
            start.extend_from_slice(&chunk[..wanted]);
            // Rejects other files without receiving the rest.
            if start.len() == SNIFF_BYTES {
                format = Some(recognized(bucket, &start, incoming.content_type())?);
            }
        }
        draft.write(&chunk).await?;
    }
    if let (Some(bucket), None) = (images, format) {
        format = Some(recognized(bucket, &start, incoming.content_type())?);
    }
    let staged = draft.finish().await?;
    match format {
        Some(format) => Ok((cleaned(state, format, staged).await?, Some(format))),
        None => Ok((staged, None)),
    }
}

fn recognized(bucket: &Bucket, start: &[u8], declared: &str) -> Result<Format> {
    let format = Format::sniff(start).ok_or_else(|| ApiError::InvalidMimeType(declared.to_owned()))?;
    if mime_type::allows(bucket.allowed_mime_types.as_deref(), format.mime_type()) {
        return Ok(format);
    }
    Err(ApiError::InvalidMimeType(format.mime_type().to_owned()))
}

async fn cleaned(state: &AppState, format: Format, staged: Staged) -> Result<Staged> {
    let _permit = state.cleaning.acquire().await.map_err(|error| ApiError::Internal(error.into()))?;
    let work = move || -> Result<Staged> {
        let picture = staged.content()?;
        let clean = format.without_metadata(&picture).map_err(|Malformed| {
            ApiError::InvalidRequest(format!("the file begins like {} but is broken", format.mime_type()))
        })?;
        let size = format.size(&clean).ok_or_else(|| ApiError::InvalidRequest(NO_SIZE.to_owned()))?;
        size.checked()?;
        check_decodable(format, &clean)?;
        if clean == picture { Ok(staged) } else { Ok(staged.replaced_by(&clean)?) }
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| ApiError::Internal(error.into()))?
}
