//! Resumable uploads (the tus protocol, version 1.0.0) as pure code: what their headers say and how
//! an upload is named. It reads no body, asks no database and knows no clock; `wire/tus` does.
//!
//! Source: tus.io, "tus resumable upload protocol", version 1.0.0, 2016-03-25.

pub(crate) mod headers;
pub(crate) mod metadata;
pub(crate) mod upload_id;

pub(crate) use crate::error::tus::TusRefusal;
pub(crate) use metadata::Metadata;
pub(crate) use upload_id::UploadId;

/// The one version there is.
pub(crate) const VERSION: &str = "1.0.0";

/// What of the protocol's extensions is here, in the original's order.
pub(crate) const EXTENSIONS: &str =
    "creation,creation-with-upload,creation-defer-length,termination,expiration";

/// The type of a body that goes on with an upload.
pub(crate) const CONTENT_TYPE: &str = "application/offset+octet-stream";
