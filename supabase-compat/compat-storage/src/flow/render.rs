//! Rendering a picture: the same authorization as reading it, then the content of its version at a
//! size.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt as _;

use crate::bytes::{BytesError, ObjectBytes, ObjectLocation};
use crate::error::StorageError;
use crate::flow::get::{Access, may_get};
use crate::images::{ImageRefusal, Picture, RenderError, RenderKey, Renderer, Transform};
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;

/// The requested form of a picture.
#[derive(Debug, Clone, Copy)]
pub struct RenderRequest {
    pub transform: Transform,
    /// Whether the result is a WebP rather than the kind of the source.
    pub webp: bool,
}

/// An object and its rendered picture; none if the client has it already.
pub struct RenderedObject {
    pub row: ObjectRow,
    pub picture: Option<Picture>,
}

/// Renders an object. `is_wanted` may decide from its row that the client has the picture already.
///
/// # Errors
/// Those of [`may_get`], [`StorageError::Picture`], [`StorageError::NoContent`].
pub async fn render(
    state: &State,
    context: &RequestContext,
    access: Access,
    (bucket, key): (&str, &str),
    request: RenderRequest,
    is_wanted: impl Fn(&ObjectRow) -> bool,
) -> Result<RenderedObject, StorageError> {
    let renderer = state.images.as_ref().ok_or(StorageError::Disabled("imageTransformation"))?;
    let mut row = may_get(state, context, access, bucket, key).await?;
    for _ in 0..TRIES {
        if !is_wanted(&row) {
            return Ok(RenderedObject { row, picture: None });
        }
        match picture(state, renderer, context, &row, request).await {
            // The object was overwritten in between: look for its current version.
            Err(RenderError::Missing) => {
                let now = may_get(state, context, access, bucket, key).await?;
                if now.version == row.version {
                    return Err(StorageError::NoContent);
                }
                row = now;
            }
            rendered => return Ok(RenderedObject { row, picture: Some(rendered?) }),
        }
    }
    Err(StorageError::NoContent)
}

/// How often rendering retries with a newer version.
const TRIES: u32 = 4;

async fn picture(
    state: &State,
    renderer: &Renderer,
    context: &RequestContext,
    row: &ObjectRow,
    request: RenderRequest,
) -> Result<Picture, RenderError> {
    let place = row.place().ok_or(RenderError::Missing)?;
    let most = renderer.limits().bytes;
    if row.known().size.is_some_and(|size| size > most) {
        return Err(ImageRefusal::FileSize.into());
    }
    let key = RenderKey {
        version: place.version,
        transform: request.transform.header(),
        webp: request.webp,
    };
    let client = context.client.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let read = || read(Arc::clone(&state.bytes), place, most);
    renderer.render(&key, request.transform, client, read).await
}

/// Reads the whole content of a location, at most `most` bytes.
async fn read(
    bytes: Arc<dyn ObjectBytes>,
    place: ObjectLocation,
    most: u64,
) -> Result<Bytes, RenderError> {
    let reading = bytes.read(&place, None).await.map_err(unread)?;
    if reading.size > most {
        return Err(ImageRefusal::FileSize.into());
    }
    let mut picture = Vec::with_capacity(usize::try_from(reading.size).unwrap_or_default());
    let mut content = reading.content;
    let broken = |cause| unread(BytesError::Failed(cause));
    while let Some(piece) = content.try_next().await.map_err(broken)? {
        picture.extend_from_slice(&piece);
        if picture.len() as u64 > most {
            return Err(ImageRefusal::FileSize.into());
        }
    }
    Ok(picture.into())
}

fn unread(error: BytesError) -> RenderError {
    if matches!(error, BytesError::Missing) {
        return RenderError::Missing;
    }
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    tracing::error!(%error, cause, "cannot read the source of a picture");
    RenderError::Unread
}
